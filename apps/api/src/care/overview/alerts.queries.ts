import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Rows of a table or a join for which something holds. */
const count =
  (from: RawBuilder<unknown>) =>
  async (db: Db): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db)
    return rows[0]?.count ?? 0
  }

/** A job that is due and has not begun. */
const SLOW_AFTER = sql`interval '5 minutes'`

export const countSlowJobs = count(sql`
  graphile_worker.jobs where attempts < max_attempts and locked_at is null and run_at < now() - ${SLOW_AFTER}`)

/** Mails that could not be sent at the last try, and that are tried again. */
export const countFailingMails = count(sql`
  graphile_worker.jobs where task_identifier like 'mail-%' and attempts between 1 and max_attempts - 1
    and last_error is not null`)
