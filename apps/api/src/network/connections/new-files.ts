import { sql } from 'kysely'
import { IS_OBFUSCATED } from '#network/nodes/capacity.queries.ts'
import { lockedPeers } from '#network/nodes/peers.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { addJobs, type JobPayloads } from '#platform/queue/add-job.ts'

/** What made the configurations on devices out of date. */
export type NewFileReason = JobPayloads['mail-new-files']['why']

const CURRENT = sql`peers.replaced_at is null and peers.removed_at is null
  and (connections.expires_at is null or connections.expires_at > now())`

/**
 * Each customer of a node is emailed once that its connections have new configurations. In the caller's transaction. Returns how
 * many they are.
 */
export const announceNewFiles = async (trx: Trx, nodeId: string, why: NewFileReason): Promise<number> => {
  const { rows } = await sql<{ customer_id: string }>`
    select distinct customer_id from connections join peers on peers.connection_id = connections.id
    where peers.node_id = ${nodeId} and customer_id is not null and ${CURRENT}`.execute(trx)
  const jobs = rows.map(({ customer_id }) => ({ customerId: customer_id, nodeId, why }))
  if (jobs.length > 0) await addJobs(trx, 'mail-new-files', jobs)
  return jobs.length
}

/** No device has connected with the key that the node has now. */
export const forgetConnected = async (trx: Trx, nodeId: string): Promise<void> => {
  await sql`
    with held as (${lockedPeers(sql`node_id = ${nodeId} and connected_on is not null`)})
    update peers set connected_on = null where id in (select id from held)`.execute(trx)
}

type OnNode = { name: string; node_name: string; has_own_key: boolean; is_obfuscated: boolean }

/** A customer's connections on a node. */
export const listOnNode = async (db: Db, customerId: string, nodeId: string) => {
  const { rows } = await sql<OnNode>`
    select connections.name, nodes.name as node_name, has_own_key, ${IS_OBFUSCATED} as is_obfuscated from connections
    join peers on peers.connection_id = connections.id join nodes on nodes.id = peers.node_id
    where connections.customer_id = ${customerId} and peers.node_id = ${nodeId} and ${CURRENT}
    order by connections.created_at, connections.ordinal`.execute(db)
  return rows
}
