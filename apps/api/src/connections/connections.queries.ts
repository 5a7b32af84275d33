import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Database } from '#database/schema.ts'
import type { ConnectionsTable, FreeAddressesTable, NodesTable } from './connections.table.ts'

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

export const insertConnections = (trx: Trx, rows: Insertable<ConnectionsTable>[]) =>
  trx.insertInto('connections').values(rows).execute()

/** Takes numbers for new connections; answers the first of them. */
export const takeConnectionNumbers = async (trx: Trx, customerId: string, count: number): Promise<number> => {
  const { connections_made } = await trx
    .updateTable('customers')
    .set({ connections_made: sql<number>`connections_made + ${count}` })
    .where('id', '=', customerId)
    .returning('connections_made')
    .executeTakeFirstOrThrow()
  return connections_made - count + 1
}

export type Address = Pick<Selectable<FreeAddressesTable>, 'node_id' | 'position'>

/**
 * Takes free positions, from one open node, without waiting for others who take some at the same time.
 * Fewer than asked for: the free list is short.
 */
export const takeFreeAddresses = (trx: Trx, nodeId: string, count: number): Promise<Address[]> =>
  trx
    .deleteFrom('free_addresses')
    .where('node_id', '=', nodeId)
    .where('position', 'in', (inner) =>
      inner
        .selectFrom('free_addresses')
        .select('position')
        .where('node_id', '=', nodeId)
        .where('available_at', '<=', sql<Date>`now()`)
        .orderBy('available_at')
        .orderBy('position')
        .limit(count)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['node_id', 'position'])
    .execute()

export const listOpenNodes = (db: Db) =>
  db.selectFrom('nodes').selectAll().where('is_open', '=', true).orderBy('created_at').execute()

/** Puts the next positions of a node's pool on its free list. Waits for another process that does the same. */
export const extendFreeList = async (trx: Trx, nodeId: string, lastPosition: number, step: number) => {
  const before = await trx
    .selectFrom('nodes')
    .select('filled_to')
    .where('id', '=', nodeId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const filledTo = Math.min(lastPosition, before.filled_to + step)
  await sql`
    insert into free_addresses (node_id, position)
    select ${nodeId}, position from generate_series(${before.filled_to + 1}::int, ${filledTo}::int) as position
  `.execute(trx)
  await trx.updateTable('nodes').set({ filled_to: filledTo }).where('id', '=', nodeId).execute()
}

export const insertNodeIfNone = (db: Db, row: Insertable<NodesTable>) =>
  sql`
    insert into nodes (id, name, endpoint, public_key, ipv4, ipv6)
    select ${row.id}, ${row.name}, ${row.endpoint}, ${row.public_key}, ${row.ipv4}::cidr, ${row.ipv6}::cidr
    where not exists (select from nodes)
    on conflict (name) do nothing`.execute(db)
