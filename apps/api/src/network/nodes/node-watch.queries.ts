import {
  REMOVED_KEPT_DAYS,
  REPLACED_LIVES_HOURS,
  UP_WITHIN_S,
  USED_TWICE_KEPT_S,
} from '@hedgerow/domain/nodes'
import { sql } from 'kysely'
import { IS_UP } from '#network/nodes/capacity.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { inSlices } from '#platform/database/slices.ts'

/** Counted first, and written afterwards: who numbers a node's changes does not wait while all peers are counted. */
export const refreshLoads = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ id: string; load: number }>`
    with live as (select node_id, count(*)::integer as peers from peers where removed_at is null group by node_id)
    select id, coalesce(peers, 0) as load from nodes left join live on node_id = id
    where removed_at is null and load <> coalesce(peers, 0)`.execute(db)
  await sql`
    with fresh as (
      select * from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ load }) => load)}::int[]) as fresh (id, load)
    ),
    -- A node whose row is locked is skipped: the next look is soon, and two that wait for each other end both.
    free as (select id from nodes where id in (select id from fresh) order by id for no key update skip locked)
    update nodes set load = fresh.load from fresh where nodes.id = fresh.id
      and nodes.id in (select id from free)`.execute(db)
}

/** A run that comes so late has missed others. */
const BREAK_AFTER_S = 60

/** Notes that the shop looks. */
export const noteLook = async (db: Db): Promise<void> => {
  await sql`
    update node_watch set looked_at = now(), watched_since =
      case when looked_at < now() - make_interval(secs => ${BREAK_AFTER_S}) then now() else watched_since end`.execute(
    db,
  )
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Nodes whose agents have fallen silent, or that for as long do not work or are surely not reached from outside; each once. */
export const claimSilent = async (trx: Trx): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update nodes set down_notified_at = now() from node_watch
    where removed_at is null and agent_hash is not null and down_notified_at is null and seen_at is not null
      and least(greatest(seen_at, watched_since), faults_since, case when is_surely_unreached then unreached_since end) < now() - make_interval(secs => ${UP_WITHIN_S})
    returning id`.execute(trx)
  return idsOf(rows)
}

/** Nodes that were reported so and are up again, each once. */
export const claimRecoveredNodes = async (trx: Trx): Promise<string[]> => {
  const rows = await trx
    .updateTable('nodes')
    .set({ down_notified_at: null })
    .where('removed_at', 'is', null)
    .where('down_notified_at', 'is not', null)
    .where(IS_UP)
    .returning('id')
    .execute()
  return idsOf(rows)
}

export const forgetUsedTwice = async (db: Db): Promise<void> => {
  await sql`delete from peers_used_twice
    where seen_at < now() - make_interval(secs => ${sql.lit(USED_TWICE_KEPT_S)})`.execute(db)
}

/** Old ports that no file names any more: what was sold before the last of them was left is gone, and cannot be extended. */
export const closeOldPorts = async (db: Db): Promise<void> => {
  await sql`
    update nodes set old_ports = '{}' where old_ports <> '{}' and not exists (
      select from peers where node_id = nodes.id and removed_at is null and created_at < port_changed_at)`.execute(
    db,
  )
}

/** The operator is mailed again about a pool that stays nearly full. */
const LOW_AGAIN_HOURS = 24
/** One that is no longer so and becomes so again is reported at most so often. */
const LOW_REST_HOURS = 1

/** False when the operator knows. */
export const claimLowPool = async (trx: Trx, nodeId: string): Promise<boolean> => {
  const { rows } = await sql`
    update nodes set low_notified_at = now()
    where id = ${nodeId} and (low_notified_at is null or low_notified_at < now() - make_interval(hours => ${LOW_AGAIN_HOURS}))
    returning id`.execute(trx)
  return rows.length > 0
}

export const clearLowPool = async (db: Db, nodeId: string): Promise<void> => {
  await sql`
    update nodes set low_notified_at = null
    where id = ${nodeId} and low_notified_at < now() - make_interval(hours => ${LOW_REST_HOURS})`.execute(db)
}

const WAITING_AGAIN_HOURS = 1

/** False when the operator was mailed a short while ago. */
export const claimWaiting = async (trx: Trx): Promise<boolean> => {
  const { rows } = await sql`
    update node_watch set waiting_notified_at = now()
    where waiting_notified_at is null or waiting_notified_at < now() - make_interval(hours => ${WAITING_AGAIN_HOURS})
    returning is_only`.execute(trx)
  return rows.length > 0
}

/** Locks so many peers that were replaced so long ago that their time is over, the oldest first. */
export const holdOverdue = async (trx: Trx, most: number): Promise<string[]> => {
  const rows = await trx
    .selectFrom('peers')
    .select('id')
    .where('removed_at', 'is', null)
    .where('is_kept', '=', false)
    .where('replaced_at', '<', sql<Date>`now() - make_interval(hours => ${REPLACED_LIVES_HOURS})`)
    .orderBy('replaced_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()
  return idsOf(rows)
}

/** Gone so long that agents need not hear of it any more, and shown by no connection. */
const IS_PAST = sql`removed_at < now() - make_interval(days => ${REMOVED_KEPT_DAYS})
  and (replaced_at is not null or not exists (select from connections where connections.id = connection_id))`

/** Nodes that never heard that some of these are gone. */
export const listUnnotifiedNodes = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct node_id as id from peers where revision is null and ${IS_PAST}`.execute(db)
  return idsOf(rows)
}

/** Forgets them. An agent that has not heard of all of them sees it by its node's horizon. */
export const forgetRemoved = (db: Db): Promise<void> =>
  inSlices(async (most) => {
    const { rows } = await sql<{ count: number }>`
    with past as (
      select id from peers where revision is not null and ${IS_PAST}
      order by removed_at limit ${most} for update skip locked
    ),
    forgotten as (
      delete from peers where id in (select id from past) returning node_id, revision
    ),
    highest as (select node_id, max(revision) as revision from forgotten group by node_id),
    notified as (
      update nodes set horizon = greatest(horizon, highest.revision) from highest where id = node_id
    )
    select count(*)::int as count from forgotten`.execute(db)
    return rows[0]?.count ?? 0
  })
