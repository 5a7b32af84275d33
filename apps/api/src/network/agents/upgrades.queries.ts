import {
  ACTIVE_UPGRADES,
  OPEN_UPGRADES,
  UPGRADE_SILENT_MINUTES,
  type UpgradeReport,
} from '@hedgerow/domain/node-upgrades'
import { type Insertable, sql } from 'kysely'
import { notifyNode } from '#network/nodes/peers.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { AgentArchivesTable, NodeUpgradesTable } from '#platform/database/tables/nodes.table.ts'

/** Only one transaction at a time changes whose turn it is. */
export const lockUpgrades = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('node upgrades'))`.execute(trx)
}

export const listArchives = (db: Db) =>
  db.selectFrom('agent_archives').selectAll().orderBy('stored_at', 'desc').execute()

export const findArchive = (db: Db, version: string, arch: string) =>
  db
    .selectFrom('agent_archives')
    .selectAll()
    .where('version', '=', version)
    .where('arch', '=', arch)
    .executeTakeFirst()

/** Some upgrade that has not ended is to it. */
export const isArchiveWanted = async (
  db: Db,
  { version, arch }: { version: string; arch: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('node_upgrades')
    .innerJoin('nodes', 'nodes.id', 'node_id')
    .select('node_upgrades.id')
    .where('version', '=', version)
    .where('agent_arch', '=', arch)
    .where('state', 'in', OPEN_UPGRADES)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const insertArchive = async (trx: Trx, row: Insertable<AgentArchivesTable>): Promise<void> => {
  await trx.insertInto('agent_archives').values(row).execute()
}

export const insertPart = async (
  trx: Trx,
  archiveId: string,
  position: number,
  content: Buffer,
): Promise<void> => {
  await trx.insertInto('agent_archive_parts').values({ archive_id: archiveId, position, content }).execute()
}

export const deleteArchives = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await trx
      .deleteFrom('agent_archives')
      .where('id', 'in', [...ids])
      .execute()
}

/** Those of these nodes that have one under way keep it: they are not among what is returned. */
export const insertUpgrades = (trx: Trx, rows: readonly Insertable<NodeUpgradesTable>[]) =>
  trx
    .insertInto('node_upgrades')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['node_id']).where('state', 'in', OPEN_UPGRADES).doNothing())
    .returning('node_id')
    .execute()

const NOW = sql<Date>`now()`

/** What its agent does not speak of any more has failed, and what its node does not need has ended. */
export const endOverdue = async (trx: Trx): Promise<void> => {
  await trx
    .updateTable('node_upgrades')
    .set({
      state: 'failed',
      reason: `nothing was heard of it for ${UPGRADE_SILENT_MINUTES} minutes`,
      ended_at: NOW,
    })
    .where('state', 'in', ACTIVE_UPGRADES)
    .where('heard_at', '<', sql<Date>`now() - make_interval(mins => ${sql.lit(UPGRADE_SILENT_MINUTES)})`)
    .execute()
  await trx
    .updateTable('node_upgrades')
    .set({ state: 'stopped', reason: 'the node was removed', ended_at: NOW })
    .where('state', 'in', OPEN_UPGRADES)
    .where('node_id', 'in', (eb) =>
      eb.selectFrom('nodes').select('nodes.id').where('removed_at', 'is not', null),
    )
    .execute()
}

/** The run stops where one of its upgrades has not come about. */
export const stopAfterFailure = async (trx: Trx): Promise<void> => {
  await sql`
    update node_upgrades set state = 'stopped', ended_at = now(),
      reason = 'an upgrade before it did not come about'
    where state = 'waiting' and exists (
      select from node_upgrades as other
      where other.run_id = node_upgrades.run_id and other.state in ('refused', 'failed'))`.execute(trx)
}

export const isOneActive = async (trx: Trx): Promise<boolean> => {
  const row = await trx
    .selectFrom('node_upgrades')
    .select('id')
    .where('state', 'in', ACTIVE_UPGRADES)
    .executeTakeFirst()
  return row !== undefined
}

/** Each upgrade with its node, and the archive that fits it, where that is stored. */
const withArchive = (db: Db) =>
  db
    .selectFrom('node_upgrades')
    .innerJoin('nodes', 'nodes.id', 'node_id')
    .leftJoin('agent_archives', (join) =>
      join
        .onRef('agent_archives.version', '=', 'node_upgrades.version')
        .onRef('agent_archives.arch', '=', 'nodes.agent_arch'),
    )

/** Whose turn is next, with what its node runs by now. */
export const findNext = (trx: Trx) =>
  withArchive(trx)
    .select([
      'node_upgrades.id',
      'node_upgrades.node_id',
      'node_upgrades.version',
      'nodes.agent_version',
      'agent_archives.id as archive_id',
    ])
    .where('state', '=', 'waiting')
    .orderBy('node_upgrades.created_at')
    .orderBy('node_upgrades.place')
    .limit(1)
    .executeTakeFirst()

export const markOffered = async (trx: Trx, id: string, fromVersion: string | null): Promise<void> => {
  await trx
    .updateTable('node_upgrades')
    .set({ state: 'offered', heard_at: NOW, from_version: fromVersion })
    .where('id', '=', id)
    .returning(notifyNode(sql`node_id`).as('notified'))
    .execute()
}

export const endUpgrade = async (
  trx: Trx,
  id: string,
  state: 'done' | 'failed',
  reason: string,
): Promise<void> => {
  await trx.updateTable('node_upgrades').set({ state, reason, ended_at: NOW }).where('id', '=', id).execute()
}

/** What an agent is offered now, unless it knows. */
export const findOffer = (db: Db, nodeId: string, known: string | undefined) =>
  withArchive(db)
    .select(['node_upgrades.id', 'node_upgrades.version', 'agent_archives.arch', 'bytes', 'signature'])
    .where('node_id', '=', nodeId)
    .where('state', 'in', ACTIVE_UPGRADES)
    .$if(known !== undefined, (query) => query.where('node_upgrades.id', '<>', known as string))
    .executeTakeFirst()

/** A piece of what a node is offered; that it asks is a sign of life. */
export const readPart = async (
  db: Db,
  nodeId: string,
  upgradeId: string,
  part: number,
): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ content: Buffer }>`
    with offered as (
      update node_upgrades set heard_at = now()
      where id = ${upgradeId} and node_id = ${nodeId} and state in (${sql.join(ACTIVE_UPGRADES)})
      returning node_id, version
    )
    select content from offered join nodes on nodes.id = offered.node_id
    join agent_archives on agent_archives.version = offered.version and arch = agent_arch
    join agent_archive_parts on archive_id = agent_archives.id and position = ${part}`.execute(db)
  return rows[0]?.content
}

/** Of an upgrade that has ended nothing more is taken in: false. */
export const noteReport = async (
  trx: Trx,
  nodeId: string,
  upgradeId: string,
  state: UpgradeReport,
  reason: string | null,
): Promise<boolean> => {
  const isOver = state === 'done' || state === 'refused' || state === 'failed'
  const { numUpdatedRows } = await trx
    .updateTable('node_upgrades')
    .set({ state, reason, heard_at: NOW, ended_at: isOver ? NOW : null })
    .where('id', '=', upgradeId)
    .where('node_id', '=', nodeId)
    .where('state', 'in', ACTIVE_UPGRADES)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends what has not begun to be installed: from then on the agent comes back or goes on by itself. */
export const stopUpgrades = (trx: Trx, nodeId: string | undefined) =>
  trx
    .updateTable('node_upgrades')
    .set({ state: 'stopped', reason: 'stopped by an operator', ended_at: NOW })
    .where('state', 'in', ['waiting', 'offered', 'downloading'])
    .$if(nodeId !== undefined, (query) => query.where('node_id', '=', nodeId as string))
    .returning('id')
    .execute()

export const listUpgradeRows = (db: Db, limit: number) =>
  db
    .selectFrom('node_upgrades')
    .innerJoin('nodes', 'nodes.id', 'node_id')
    .select([
      'node_upgrades.id',
      'nodes.name',
      'version',
      'from_version',
      'state',
      'reason',
      'node_upgrades.created_at',
      'ended_at',
    ])
    .orderBy('node_upgrades.created_at', 'desc')
    .orderBy('place')
    .limit(limit)
    .execute()
