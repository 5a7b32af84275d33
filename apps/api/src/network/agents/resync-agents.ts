import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** More changes than any node sees between a backup and its restore; there is room for two million restores. */
const LEAP = 2 ** 32

/**
 * Makes every agent begin anew, for a database that was brought back to an older state: whatever an agent has heard is
 * before the new horizon. Being ahead of us would not show it for long, because changes go on being numbered.
 */
export const resyncAgents = async (db: Db): Promise<void> => {
  await sql`
    update nodes set revision = revision + ${LEAP}::bigint, horizon = revision + ${LEAP}::bigint,
      applied_revision = applied_revision + ${LEAP}::bigint`.execute(db)
}
