import { ADDRESS_REST_DAYS, UNUSED_REST_MINUTES, UP_WITHIN_S } from '@hedgerow/domain/nodes'
import { type RawBuilder, sql } from 'kysely'
import { endLinks } from '#people/share-links/share-links.ts'
import type { Db } from '#platform/database/client.ts'
import { CHANGED } from '#platform/database/notified-cache.ts'

/** Notifies every process that a node's peers have changed, so that a waiting agent hears at once. */
export const notifyNode = (nodeId: RawBuilder<unknown>) =>
  sql`pg_notify(${sql.lit(CHANGED)}, 'node:' || ${nodeId})`

/** Every change of several peers locks them like this, in one order. */
export const lockedPeers = (found: RawBuilder<unknown>) =>
  sql`select id from peers where ${found} and removed_at is null order by id for update`

/** What a connection's node is to keep has changed: its agent is notified. In the caller's transaction. */
export const touchPeers = async (db: Db, connectionIds: readonly string[]): Promise<void> => {
  await sql`
    with held as (${lockedPeers(sql`connection_id = any(${connectionIds}::uuid[])`)})
    update peers set revision = null where id in (select id from held)
    returning ${notifyNode(sql`node_id`)}`.execute(db)
}

/**
 * Nothing was sent to one that was never connected. A node that has been silent may know otherwise, and a demonstration node has
 * no one that could connect.
 */
const REST = sql`case when connected_on is null and exists (
    select from nodes where nodes.id = node_id
      and (is_demonstration or seen_at > now() - make_interval(secs => ${sql.lit(UP_WITHIN_S)})))
  then make_interval(mins => ${sql.lit(UNUSED_REST_MINUTES)}) else make_interval(days => ${sql.lit(ADDRESS_REST_DAYS)}) end`

/**
 * Takes peers from their nodes. Their addresses rest before someone else gets them. Of one that is removed already
 * nothing changes. `isForgotten`: its private key is not needed again.
 */
const removePeers = async (db: Db, found: RawBuilder<unknown>, isForgotten: boolean): Promise<number> => {
  const { rows } = await sql`
    with held as (${lockedPeers(found)}),
    gone as (
      update peers set removed_at = now(), revision = null
      where id in (select id from held)
      returning node_id, position, ipv6_position, connected_on
    ),
    rested as (
      insert into free_addresses (node_id, position, available_at)
      select node_id, position, now() + ${REST} from gone
      -- Its IPv6 address has another place, so that neither is anyone else's again.
      where ipv6_position is null
    )
    select ${notifyNode(sql`node_id`)} from gone`.execute(db)
  if (isForgotten)
    await sql`update peers set private_key_encrypted = null where ${found} and private_key_encrypted is not null`.execute(
      db,
    )
  return rows.length
}

/** The connections stay, and carry nothing any more: nor is there anything to show by a link. */
export const cutOff = async (db: Db, connectionIds: readonly string[]): Promise<number> => {
  await endLinks(db, connectionIds)
  return removePeers(db, sql`connection_id = any(${connectionIds}::uuid[])`, false)
}

/** The connections are deleted: their peers go with their keys. */
export const forgetPeers = (db: Db, connectionIds: readonly string[]) =>
  removePeers(db, sql`connection_id = any(${connectionIds}::uuid[])`, true)

/** Peers that were replaced: their node keeps them no longer. */
export const removeReplaced = (db: Db, peerIds: readonly string[]) =>
  removePeers(db, sql`id = any(${peerIds}::uuid[])`, true)

/** All peers of a node. What its connections' customers see of them stays. */
export const removePeersOf = (db: Db, nodeId: string) => removePeers(db, sql`node_id = ${nodeId}`, false)
