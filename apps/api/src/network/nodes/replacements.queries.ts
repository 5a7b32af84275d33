import { type Insertable, sql } from 'kysely'
import { IS_OBFUSCATED, listOpenNodes } from '#network/nodes/capacity.queries.ts'
import { lockedPeers, notifyNode } from '#network/nodes/peers.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { PeersTable } from '#platform/database/tables/nodes.table.ts'

/** Nodes that a connection may move to: the open ones that serve what it was bought with, those that can do its filters first. */
export const listNodesToMoveTo = async (db: Db, connectionId: string) => {
  const bought = await db
    .selectFrom('connections')
    // One that was brought was bought with no plan.
    .leftJoin('payments', 'payments.id', 'connections.payment_id')
    .leftJoin('orders', 'orders.id', 'payments.order_id')
    .select(['orders.plan_id', 'connections.filters_on'])
    .where('connections.id', '=', connectionId)
    .executeTakeFirst()
  const planId = bought?.plan_id ?? null
  const filtersOn = bought?.filters_on ?? 0
  return { nodes: await listOpenNodes(db, planId, filtersOn), planId, filtersOn }
}

export const findNodeToMoveTo = async (db: Db, connectionId: string, wantedNodeId: string | undefined) => {
  const { nodes, planId, filtersOn } = await listNodesToMoveTo(db, connectionId)
  const current = await db
    .selectFrom('peers')
    .innerJoin('nodes', 'nodes.id', 'peers.node_id')
    .select(['node_id', IS_OBFUSCATED.as('is_obfuscated')])
    .where('connection_id', '=', connectionId)
    .where('replaced_at', 'is', null)
    .executeTakeFirst()
  const openNode = (wantedId: string | undefined) => nodes.find(({ id }) => id === wantedId)
  return {
    current,
    /** The node that it has, if that is open. */
    own: openNode(current?.node_id),
    wanted: openNode(wantedNodeId),
    planId,
    filtersOn,
  }
}

/**
 * Undefined when the connection has ended, or is not on the node that it is said to be on. The connection is locked first:
 * who waited for it then sees its newest peer. Then all of its peers, in the order in which everyone locks several.
 */
export const lockCurrentPeer = async (trx: Trx, connectionId: string, nodeId?: string) => {
  await trx.selectFrom('connections').select('id').where('id', '=', connectionId).forUpdate().execute()
  await lockedPeers(sql`connection_id = ${connectionId}`).execute(trx)
  return trx
    .selectFrom('connections')
    .innerJoin('peers', 'peers.connection_id', 'connections.id')
    .select([
      'peers.id',
      'peers.connection_id',
      'peers.node_id',
      'peers.public_key',
      'peers.has_own_key',
      'peers.preshared_key_encrypted',
      'connections.filters_on',
    ])
    .where('connections.id', '=', connectionId)
    .where('peers.replaced_at', 'is', null)
    .where('peers.removed_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .$if(nodeId !== undefined, (query) => query.where('peers.node_id', '=', nodeId as string))
    .executeTakeFirst()
}

/** Takes one address from a node's free list, if there is one that no other transaction is taking. */
export const takeAddress = async (trx: Trx, nodeId: string): Promise<number | undefined> => {
  const { rows } = await sql<{ position: number }>`
    delete from free_addresses where (node_id, position) in (
      select node_id, position from free_addresses where node_id = ${nodeId} and available_at <= now()
      order by available_at, position limit 1 for update skip locked
    ) returning position`.execute(trx)
  return rows[0]?.position
}

/**
 * Takes back an address that peers of a node have given up in this transaction, for a peer of the same connection. It need
 * not rest: who sends to its last holder reaches the same customer.
 */
export const keepAddress = async (
  trx: Trx,
  nodeId: string,
  removedIds: readonly string[],
): Promise<number | undefined> => {
  const { rows } = await sql<{ position: number }>`
    delete from free_addresses where (node_id, position) in (
      select node_id, position from peers where id = any(${removedIds}::uuid[]) and node_id = ${nodeId}
      order by created_at desc limit 1
    ) returning position`.execute(trx)
  return rows[0]?.position
}

/** The current peer, if it is itself a replacement that was never connected: what it replaced still works. */
export const listUnusedReplacements = async (trx: Trx, connectionId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from peers as newer
    where connection_id = ${connectionId} and removed_at is null and connected_on is null and replaced_at is null
      and exists (select from peers as older where older.connection_id = newer.connection_id
        and older.replaced_at is not null and older.removed_at is null)`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Those that still live on a node after they were replaced. */
export const listReplaced = async (trx: Trx, connectionId: string) =>
  trx
    .selectFrom('peers')
    .select(['id', 'node_id', 'public_key'])
    .where('connection_id', '=', connectionId)
    .where('replaced_at', 'is not', null)
    .where('removed_at', 'is', null)
    .execute()

/** By a peer that a node keeps, of whichever connection, or by a node itself. */
export const isKeyTaken = async (trx: Trx, publicKey: string): Promise<boolean> => {
  const { rows } = await sql`
    select from peers where public_key = ${publicKey} and removed_at is null
    union all select from nodes where public_key = ${publicKey} limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * The current peer, and with it what an earlier renewal has kept: of that the time begins anew. All are locked. `isKept`: it lives
 * until what replaces it is connected.
 */
export const markReplaced = async (
  trx: Trx,
  { id, connection_id }: { id: string; connection_id: string },
  isKept: boolean,
): Promise<void> => {
  await sql`
    update peers set replaced_at = now(), is_kept = ${isKept}, revision = null, private_key_encrypted = null
    where id = ${id} or connection_id = ${connection_id} and is_kept and removed_at is null
    returning ${notifyNode(sql`node_id`)}`.execute(trx)
}

export const insertReplacement = async (trx: Trx, row: Insertable<PeersTable>): Promise<void> => {
  const { first_connected_on } = await trx
    .selectFrom('peers')
    .select(({ fn }) => fn.min('first_connected_on').as('first_connected_on'))
    .where('connection_id', '=', row.connection_id)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('peers')
    .values({ ...row, first_connected_on })
    .returning(notifyNode(sql`node_id`).as('notified'))
    .execute()
}
