import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import { RECURRING_JOBS } from '#queue/add-job.ts'

const IS_RECURRING = sql`task_id in (
  select id from graphile_worker._private_tasks where identifier = any(${[...RECURRING_JOBS]}::text[]))`

/** All that nobody is at, whatever its state. */
export const deleteWaitingRuns = async (db: Db): Promise<void> => {
  await sql`
    delete from graphile_worker._private_jobs where locked_at is null and ${IS_RECURRING}`.execute(db)
}

/** Runs of which the next is planned already (the key is on that one), and whose process died before it could say so. */
export const deleteLeftRuns = async (db: Db): Promise<void> => {
  await sql`
    delete from graphile_worker._private_jobs where locked_at is null and key is null and ${IS_RECURRING}`.execute(
    db,
  )
}

/** Runs take seconds. */
const STUCK_AFTER = sql`interval '5 minutes'`

/** Takes the key from runs that have been under way for too long, as if their next one had been planned. */
export const abandonStuckRuns = async (db: Db): Promise<void> => {
  await sql`
    update graphile_worker._private_jobs set key = null, attempts = max_attempts
    where locked_at < now() - ${STUCK_AFTER} and key is not null and ${IS_RECURRING}`.execute(db)
}
