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
 * Puts the next positions of a node's pool on its free list, unless it is no longer short: of many who find it short
 * at once, one fills it and the others wait. False when the whole pool has been put there already.
 */
export const extendFreeList = async (
  trx: Trx,
  nodeId: string,
  lastPosition: number,
  step: number,
  count: number,
): Promise<boolean> => {
  const { filled_to: from } = await trx
    .selectFrom('nodes')
    .select('filled_to')
    .where('id', '=', nodeId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (await hasFreeAddresses(trx, nodeId, count)) return true
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

/** Deletes a customer's connections. Their addresses rest before someone else gets them. */
export const deleteConnections = (trx: Trx, customerId: string, restDays: number) =>
  sql`
    with gone as (delete from connections where customer_id = ${customerId} returning node_id, position)
    insert into free_addresses (node_id, position, available_at)
    select node_id, position, now() + make_interval(days => ${restDays}) from gone`.execute(trx)

/** Ends the connections that a payment made, where they have not ended. */
export const endConnections = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx
    .updateTable('connections')
    .set({ expires_at: sql<Date>`now()` })
    .where('payment_id', '=', paymentId)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .execute()
}
