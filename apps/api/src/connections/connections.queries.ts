import type { Features } from '@hedgerow/domain/pricing'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Database } from '#database/schema.ts'
import type { NodesTable } from './connections.table.ts'

type Trx = Transaction<Database>

const withNode = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('nodes', 'nodes.id', 'connections.node_id')
    .selectAll('connections')
    .select(['nodes.ipv4', 'nodes.ipv6', 'nodes.endpoint', 'nodes.public_key as node_public_key'])

/** A connection with what its configuration needs of the node. */
export type ConnectionWithNode = Awaited<ReturnType<typeof listConnectionRows>>[number]

/** Newest purchase first, in the order of their numbers within it. */
export const listConnectionRows = (db: Db, customerId: string) =>
  withNode(db)
    .where('connections.customer_id', '=', customerId)
    .orderBy('connections.created_at', 'desc')
    .orderBy('connections.ordinal')
    .execute()

export const findConnectionRow = (db: Db, id: string) =>
  withNode(db).where('connections.id', '=', id).executeTakeFirst()

/** What a connection is made of, besides its address. */
export type ConnectionKeys = {
  id: string
  publicKey: string
  sealedPrivateKey: Buffer
  sealedPresharedKey: Buffer
}

export type NewConnections = {
  customerId: string
  paymentId: string
  /** The first part of their names; a number follows. */
  namePrefix: string
  keys: readonly ConnectionKeys[]
  features: Features
  /** Null: never. */
  expiresAt: Date | null
  /** Undefined: the first open node. */
  nodeId: string | undefined
}

/**
 * Makes connections on one node, with addresses from its free list, in one statement: it takes them without waiting for
 * others who take some at the same time. Answers how many were made; fewer than asked for means that the free list is
 * short, and the caller has to undo it.
 */
export const insertConnections = async (trx: Trx, purchase: NewConnections): Promise<number> => {
  const { customerId, paymentId, namePrefix, keys, features, expiresAt, nodeId } = purchase
  const column = <K extends keyof ConnectionKeys>(name: K) => keys.map((one) => one[name])
  const { rows } = await sql<{ made: number }>`
    with taken as (
      delete from free_addresses where (node_id, position) in (
        select node_id, position from free_addresses
        where node_id = coalesce(${nodeId ?? null}::uuid, (select id from nodes where is_open order by created_at limit 1))
          and available_at <= now()
        order by available_at, position limit ${keys.length} for update skip locked
      ) returning node_id, position
    ), address as (
      select node_id, position, row_number() over (order by position) as ordinal from taken
    ), numbered as (
      update customers set connections_made = connections_made + ${keys.length}
      where id = ${customerId} returning connections_made - ${keys.length} as before
    ), made as (
      insert into connections (id, customer_id, payment_id, ordinal, node_id, position, name, public_key,
        private_key_encrypted, preshared_key_encrypted, priority_bandwidth, ad_filter, malware_filter, family_filter,
        expires_at)
      select id, ${customerId}, ${paymentId}, ordinal, node_id, position, ${namePrefix} || ' ' || (before + ordinal),
        public_key, private_key, preshared_key, ${features.priorityBandwidth}, ${features.adFilter},
        ${features.malwareFilter}, ${features.familyFilter}, ${expiresAt}
      from unnest(${column('id')}::uuid[], ${column('publicKey')}::text[], ${column('sealedPrivateKey')}::bytea[],
        ${column('sealedPresharedKey')}::bytea[])
        with ordinality as key (id, public_key, private_key, preshared_key, ordinal)
      join address using (ordinal), numbered
      returning true
    ) select count(*)::int as made from made`.execute(trx)
  return rows[0]?.made ?? 0
}

/** Whether a node has that many free addresses now. */
export const hasFreeAddresses = async (db: Db, nodeId: string, count: number): Promise<boolean> => {
  const rows = await db
    .selectFrom('free_addresses')
    .select('position')
    .where('node_id', '=', nodeId)
    .where('available_at', '<=', sql<Date>`now()`)
    .limit(count)
    .execute()
  return rows.length === count
}

export const listOpenNodes = (db: Db) =>
  db.selectFrom('nodes').selectAll().where('is_open', '=', true).orderBy('created_at').execute()

/**
 * Puts the next positions of a node's pool on its free list. Waits for another process that does the same.
 * False when the whole pool has been put there already.
 */
export const extendFreeList = async (
  trx: Trx,
  nodeId: string,
  lastPosition: number,
  step: number,
): Promise<boolean> => {
  const { filled_to: from } = await trx
    .selectFrom('nodes')
    .select('filled_to')
    .where('id', '=', nodeId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const to = Math.min(lastPosition, from + step)
  if (to <= from) return false
  await sql`
    insert into free_addresses (node_id, position)
    select ${nodeId}, position from generate_series(${from + 1}::int, ${to}::int) as position`.execute(trx)
  await trx.updateTable('nodes').set({ filled_to: to }).where('id', '=', nodeId).execute()
  return true
}

export const insertNodeIfNone = (db: Db, row: Insertable<NodesTable>) =>
  sql`
    insert into nodes (id, name, endpoint, public_key, ipv4, ipv6)
    select ${row.id}, ${row.name}, ${row.endpoint}, ${row.public_key}, ${row.ipv4}::cidr, ${row.ipv6}::cidr
    where not exists (select from nodes)
    on conflict (name) do nothing`.execute(db)
