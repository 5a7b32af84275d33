import { sql } from 'kysely'
import { notifyNode } from '#network/nodes/peers.ts'
import type { Db } from '#platform/database/client.ts'

/** More changes than any node sees between a backup and its restore; there is room for two million restores. */
const LEAP = 2 ** 32

const beginAnew = sql`
  update nodes set revision = revision + ${sql.lit(LEAP)}::bigint, horizon = revision + ${sql.lit(LEAP)}::bigint,
    applied_revision = applied_revision + ${sql.lit(LEAP)}::bigint`

/**
 * Makes every agent begin anew, for a database that was brought back to an older state: whatever an agent has heard is
 * before the new horizon. Being ahead of us would not show it for long, because changes go on being numbered.
 */
export const resyncAgents = async (db: Db): Promise<void> => {
  await beginAnew.execute(db)
}

/** The same for the agent of one node, at once. */
export const resyncAgent = async (db: Db, nodeId: string): Promise<void> => {
  await sql`${beginAnew} where id = ${nodeId} returning ${notifyNode(sql`id`)}`.execute(db)
}
