import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Jobs of which something holds, and for how long the first has been due. */
const measureJobs = (holds: RawBuilder<unknown>) => async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
    from graphile_worker.jobs where ${holds}`.execute(db)
  return rows[0]
}

/** A job that is due and has not begun. */
const SLOW_AFTER = sql`interval '5 minutes'`

export const measureSlowJobs = measureJobs(
  sql`attempts < max_attempts and locked_at is null and run_at < now() - ${SLOW_AFTER}`,
)

/** Mails that could not be sent at the last try, and that are tried again. */
export const measureFailingMails = measureJobs(
  sql`task_identifier like 'mail-%' and attempts between 1 and max_attempts - 1 and last_error is not null`,
)
