import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** A lane takes a few at a time all the same; what is beyond comes with the next turn. */
const MOST = 1_000

/** Jobs whose last try ended with such an error, and whose next one is yet to come, run now. Returns how many. */
export const runFailedNow = async (db: Db, errorPattern: string): Promise<number> => {
  const { rows } = await sql`
    select job.id from graphile_worker.reschedule_jobs(
      (select array_agg(id) from (
        select id from graphile_worker._private_jobs
        where last_error ~ ${errorPattern} and locked_at is null and attempts < max_attempts and run_at > now()
        order by priority, run_at limit ${MOST}
      ) as failed),
      run_at := now()) as job`.execute(db)
  if (rows.length > 0)
    await sql`select pg_notify('jobs:insert', ${JSON.stringify({ count: rows.length })})`.execute(db)
  return rows.length
}
