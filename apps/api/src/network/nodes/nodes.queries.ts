import { ENROLMENT_HOURS } from '@hedgerow/domain/nodes'
import { type Insertable, sql } from 'kysely'
import { IS_LIVE } from '#network/nodes/capacity.queries.ts'
import { lockedPeers } from '#network/nodes/peers.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { NodesTable } from '#platform/database/tables/nodes.table.ts'

export const insertNodeIfNone = (db: Db, row: Insertable<NodesTable>) =>
  sql`
    insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, is_demonstration)
    select ${row.id}, ${row.name}, ${row.endpoint}, ${row.public_key}, ${row.ipv4}::cidr, ${row.ipv6}::cidr, true
    where not exists (select from nodes)
    on conflict do nothing`.execute(db)

const ENROLMENT_END = sql<Date>`now() + make_interval(hours => ${sql.lit(ENROLMENT_HOURS)})`

export const NOW = sql<Date>`now()`

export type NewNode = {
  id: string
  name: string
  endpoint: string
  second_port: number | null
  ipv4: string
  ipv6: string
  layer_id: string | null
  time_zone: string | null
  obfuscation: string | null
  enrolment_hash: Buffer
}

/** Until when its token is good; undefined when another node has the name. */
export const insertNode = async (db: Db, row: NewNode): Promise<Date | undefined> => {
  const inserted = await db
    .insertInto('nodes')
    .values({ ...row, enrolment_expires_at: ENROLMENT_END })
    .onConflict((conflict) => conflict.doNothing())
    .returning('enrolment_expires_at')
    .executeTakeFirst()
  return inserted?.enrolment_expires_at ?? undefined
}

/** The node's former agent is refused from then on. */
export const replaceEnrolment = async (
  db: Db,
  nodeId: string,
  enrolmentHash: Buffer,
): Promise<Date | undefined> => {
  const updated = await db
    .updateTable('nodes')
    .set({
      enrolment_hash: enrolmentHash,
      enrolment_expires_at: ENROLMENT_END,
      agent_hash: null,
      seen_at: null,
      shop_key: null,
    })
    .where('id', '=', nodeId)
    .where('removed_at', 'is', null)
    .returning('enrolment_expires_at')
    .executeTakeFirst()
  return updated?.enrolment_expires_at ?? undefined
}

export const setTimeZone = async (db: Db, nodeId: string, timeZone: string): Promise<void> => {
  await db.updateTable('nodes').set({ time_zone: timeZone }).where('id', '=', nodeId).execute()
}

/** False when it was so before. */
export const setOpen = async (db: Db, nodeId: string, isOpen: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ is_open: isOpen })
    .where('id', '=', nodeId)
    .where('is_open', '<>', isOpen)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when it is gone. */
export const setExits = async (db: Db, nodeId: string, addresses: readonly string[]): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ exit_addresses: [...addresses] })
    .where('id', '=', nodeId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Where customers reach it, until the transaction ends. Undefined when it is gone. */
export const lockEndpoint = (trx: Trx, nodeId: string) =>
  trx
    .selectFrom('nodes')
    .select(['endpoint', 'old_ports'])
    .where('id', '=', nodeId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const setEndpoint = async (
  trx: Trx,
  nodeId: string,
  set: { endpoint: string; old_ports: number[]; second_port_answers: false; port_changed_at?: typeof NOW },
): Promise<void> => {
  await trx.updateTable('nodes').set(set).where('id', '=', nodeId).execute()
}

/** False when it was so before, or the node is gone. */
export const setMtu = async (db: Db, nodeId: string, mtu: number | null): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ mtu })
    .where('id', '=', nodeId)
    .where('mtu', 'is distinct from', mtu)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether it answers there, the shop has to see first. False when it was so before, or the node is gone. */
export const setSecondPort = async (db: Db, nodeId: string, port: number | null): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ second_port: port, second_port_answers: false })
    .where('id', '=', nodeId)
    .where('second_port', 'is distinct from', port)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when it is gone already. A release of one of its addresses, with a peer locked, does not wait for it. */
export const lockNode = async (trx: Trx, nodeId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('nodes')
    .select('id')
    .where('id', '=', nodeId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Waits for transactions that take some of them; from then on none can. */
export const deleteFreeAddresses = async (trx: Trx, nodeId: string): Promise<void> => {
  await trx.deleteFrom('free_addresses').where('node_id', '=', nodeId).execute()
}

/** Waits for transactions that extend a connection there. */
export const lockPeersOf = async (trx: Trx, nodeId: string): Promise<void> => {
  await lockedPeers(sql`node_id = ${nodeId}`).execute(trx)
}

/** What was on it can still be read; its agent is refused. */
export const markRemoved = async (trx: Trx, nodeId: string): Promise<void> => {
  await trx
    .updateTable('nodes')
    .set({
      removed_at: sql<Date>`now()`,
      is_open: false,
      agent_hash: null,
      enrolment_hash: null,
      enrolment_expires_at: null,
      agent_networks: [],
      exit_addresses: [],
      load: 0,
    })
    .where('id', '=', nodeId)
    .execute()
}

/** Connections that have not ended and live on the node. */
const live = (db: Db, nodeId: string) =>
  db
    .selectFrom('peers')
    .innerJoin('connections', 'connections.id', 'peers.connection_id')
    .where('peers.node_id', '=', nodeId)
    .where(IS_LIVE)

export const countLive = async (db: Db, nodeId: string): Promise<number> => {
  const row = await live(db, nodeId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Customer by customer. */
export const listLive = (db: Db, nodeId: string) =>
  live(db, nodeId)
    .select(['connections.id', 'connections.customer_id', 'connections.name'])
    .orderBy('connections.customer_id')
    .orderBy('connections.id')
    .execute()

export const findRemoval = async (db: Db, name: string): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('nodes')
    .select('removed_at')
    .where('name', '=', name)
    .where('removed_at', 'is not', null)
    .orderBy('removed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.removed_at ?? undefined
}
