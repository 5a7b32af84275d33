import { sql } from 'kysely'
import type { CheckedPeer } from '#network/imports/check-peers.ts'
import { notifyNode } from '#network/nodes/peers.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { addJobs } from '#platform/queue/add-job.ts'

/** Keys of these that a node of the shop keeps, and on which; or that are a node's own. */
export const findTakenKeys = async (db: Db, keys: readonly string[]) => {
  const { rows } = await sql<{ public_key: string; node_id: string; is_nodes: boolean }>`
    select public_key, node_id, false as is_nodes from peers where public_key = any(${keys}::text[]) and removed_at is null
    union all
    select public_key, id, true from nodes where public_key = any(${keys}::text[]) and removed_at is null`.execute(
    db,
  )
  return rows
}

/** Its import, and whether an agent with the server's key has become the node. */
export const findImportOfNode = async (db: Db, nodeName: string) =>
  db
    .selectFrom('nodes')
    .leftJoin('imports', 'imports.node_id', 'nodes.id')
    .select([
      'nodes.id',
      'nodes.public_key',
      'nodes.ipv4',
      'nodes.ipv6',
      'imports.id as import_id',
      'imports.taken_over_at',
      sql<boolean>`coalesce(imports.created_at > now() - interval '24 hours', false)`.as('is_of_today'),
    ])
    .where('nodes.name', '=', nodeName)
    .where('nodes.removed_at', 'is', null)
    .executeTakeFirst()

export const isEndpointTaken = async (db: Db, endpoint: string): Promise<boolean> => {
  const query = db
    .selectFrom('nodes')
    .select('id')
    .where('endpoint', '=', endpoint)
    .where('removed_at', 'is', null)
  return (await query.executeTakeFirst()) !== undefined
}

/** Those of these emails that have an account. */
export const countAccounts = async (db: Db, emails: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from customers where email = any(${emails}::text[])`.execute(db)
  return rows[0]?.count ?? 0
}

/** The node waits for an agent with this key, and sells nothing until its operator opens it. */
export const insertImport = async (trx: Trx, nodeId: string, serverKey: string): Promise<string> => {
  await trx
    .updateTable('nodes')
    .set({ public_key: serverKey, is_open: false })
    .where('id', '=', nodeId)
    .execute()
  const { id } = await trx
    .insertInto('imports')
    .values({ node_id: nodeId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes these positions from the node's pool. False where one of them is in use, or rests. */
export const takePositions = async (
  trx: Trx,
  nodeId: string,
  positions: ReadonlySet<number>,
): Promise<boolean> => {
  const all = [...positions]
  const highest = all.reduce((most, one) => Math.max(most, one), 0)
  await sql`
    insert into free_addresses (node_id, position)
    select nodes.id, position from (select id, filled_to from nodes where id = ${nodeId} for no key update) as nodes,
      generate_series(filled_to + 1, ${highest}::int) as position`.execute(trx)
  await sql`update nodes set filled_to = greatest(filled_to, ${highest}::int) where id = ${nodeId}`.execute(
    trx,
  )
  const { numDeletedRows } = await trx
    .deleteFrom('free_addresses')
    .where('node_id', '=', nodeId)
    .where('position', '=', sql<number>`any(${all}::int[])`)
    .executeTakeFirst()
  return Number(numDeletedRows) === all.length
}

type Invited = { id: string; email: string; name: string; promocode: string }

/** Accounts for those who have none. Returns the id of each email's account. */
export const insertInvited = async (
  trx: Trx,
  invited: readonly Invited[],
  passwordHash: string,
): Promise<ReadonlyMap<string, string>> => {
  const column = <K extends keyof Invited>(name: K) => invited.map((one) => one[name])
  await sql`
    insert into customers (id, email, name, promocode, password_hash)
    select id, email, name, promocode, ${passwordHash} from unnest(${column('id')}::uuid[], ${column('email')}::text[],
      ${column('name')}::text[], ${column('promocode')}::text[]) as invited (id, email, name, promocode)
    order by email
    on conflict (email) do nothing`.execute(trx)
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from customers where email = any(${column('email')}::text[])`.execute(trx)
  return new Map(rows.map(({ id, email }) => [email, id]))
}

export type BroughtPeer = CheckedPeer & {
  id: string
  customerId: string | null
  sealedPrivateKey: Buffer | null
  sealedPresharedKey: Buffer
}

/** With one peer each, which has the address and the keys that its device has. */
export const insertBrought = async (
  trx: Trx,
  { importId, nodeId }: { importId: string; nodeId: string },
  brought: readonly BroughtPeer[],
): Promise<void> => {
  const column = <K extends keyof BroughtPeer>(name: K) => brought.map((one) => one[name])
  await sql`
    insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at, import_id,
      imported_end)
    select id, customer_id, null, ordinal, name, 0, 0, ends_at, ${importId}::uuid, ends_at
    from unnest(${column('id')}::uuid[], ${column('customerId')}::uuid[], ${column('name')}::text[],
      ${column('end')}::timestamptz[]) with ordinality as brought (id, customer_id, name, ends_at, ordinal)`.execute(
    trx,
  )
  await sql`
    insert into peers (id, connection_id, node_id, position, ipv6_position, public_key, private_key_encrypted, has_own_key,
      preshared_key_encrypted)
    select id, id, ${nodeId}::uuid, position, ipv6_position, public_key, private_key, private_key is null, preshared_key
    from unnest(${column('id')}::uuid[], ${column('position')}::int[], ${column('ipv6Position')}::int[],
      ${column('publicKey')}::text[], ${column('sealedPrivateKey')}::bytea[], ${column('sealedPresharedKey')}::bytea[])
      as brought (id, position, ipv6_position, public_key, private_key, preshared_key)
    returning ${notifyNode(sql`node_id`)}`.execute(trx)
}

/** An agent became the node, with the server's key: those who were brought with it are told, each once. */
export const markTakenOver = async (trx: Trx, nodeId: string): Promise<void> => {
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set({ taken_over_at: sql<Date>`now()` })
    .where('node_id', '=', nodeId)
    .where('taken_over_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const { rows } = await sql<{ customer_id: string }>`
    select distinct customer_id from connections join imports on imports.id = import_id
    where node_id = ${nodeId} and customer_id is not null`.execute(trx)
  const jobs = rows.map(({ customer_id }) => ({ customerId: customer_id }))
  if (jobs.length > 0) await addJobs(trx, 'mail-brought', jobs)
}

/** The node waits for the agent that has its server's key. */
export const waitsForKey = async (trx: Trx, nodeId: string): Promise<boolean> => {
  const query = trx
    .selectFrom('imports')
    .select('id')
    .where('node_id', '=', nodeId)
    .where('taken_over_at', 'is', null)
  return (await query.executeTakeFirst()) !== undefined
}

/** What a customer brought, as far as it still runs. */
export const listBroughtOf = (db: Db, customerId: string) =>
  db
    .selectFrom('connections')
    .select(['name', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('import_id', 'is not', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at')
    .orderBy('ordinal')
    .execute()

/** Locked. How many of them were paid for, or given days, since. */
export const lockBrought = async (trx: Trx, importId: string) => {
  const { rows } = await sql<{ id: string; is_extended: boolean }>`
    select id, exists (select from renewals where connection_id = connections.id)
      or exists (select from goodwill_days where connection_id = connections.id) as is_extended
    from connections where import_id = ${importId} order by id for update`.execute(trx)
  return rows
}

/** Accounts that nobody has claimed, and that are nobody's customers otherwise, go too. */
export const deleteBrought = async (trx: Trx, importId: string): Promise<void> => {
  await sql`
    with gone as (delete from connections where import_id = ${importId} returning customer_id)
    select from gone`.execute(trx)
}

export const listInvitedOf = async (trx: Trx, importId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select customers.id from customers where confirmed_at is null and id in (
      select customer_id from connections where import_id = ${importId}
    ) and created_at >= (select created_at from imports where id = ${importId})`.execute(trx)
  return rows.map(({ id }) => id)
}

export const deleteInvited = async (trx: Trx, ids: readonly string[]): Promise<number> => {
  const { rows } = await sql`
    delete from customers where id = any(${ids}::uuid[]) and confirmed_at is null
      and not exists (select from orders where customer_id = customers.id)
      and not exists (select from connections where customer_id = customers.id)
    returning id`.execute(trx)
  return rows.length
}

export const deleteImport = async (trx: Trx, importId: string): Promise<void> => {
  await trx.deleteFrom('imports').where('id', '=', importId).execute()
}

/** Of one without an account. False when it has one, or is gone. */
export const setOwner = async (trx: Trx, connectionId: string, customerId: string): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('connections')
    .set({ customer_id: customerId })
    .where('id', '=', connectionId)
    .where('customer_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether its server has been taken over: its customer may be told. */
export const isTakenOver = async (trx: Trx, connectionId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('connections')
    .innerJoin('imports', 'imports.id', 'import_id')
    .select('taken_over_at')
    .where('connections.id', '=', connectionId)
    .executeTakeFirst()
  return row?.taken_over_at != null
}
