import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** How the keys of mails begin that wait because there were too many of their kind. */
export const HELD_KEY = 'held:'

export const countHeldMails = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs
    where key like ${`${HELD_KEY}%`} and attempts < max_attempts`.execute(db)
  return rows[0]?.count ?? 0
}
