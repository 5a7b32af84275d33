import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { RECURRING_JOBS } from '#platform/queue/add-job.ts'

const IS_RECURRING = sql`task_id in (
  select id from graphile_worker._private_tasks where identifier = any(${[...RECURRING_JOBS]}::text[]))`

/**
 * A run that planned its next one, and whose process ended before it could say that it was done: the queue has it as given
 * up. Its next run is there, and there is nothing to do about it.
 */
export const IS_LEFT_RUN = sql<boolean>`(locked_at is null and key is null and ${IS_RECURRING})`

/** All that no worker is at, whatever its state. */
export const deleteWaitingRuns = async (db: Db): Promise<void> => {
  await sql`
    delete from graphile_worker._private_jobs where locked_at is null and ${IS_RECURRING}`.execute(db)
}

export const deleteLeftRuns = async (db: Db): Promise<void> => {
  await sql`delete from graphile_worker._private_jobs where ${IS_LEFT_RUN}`.execute(db)
}

/** Runs take seconds. */
const STUCK_AFTER = sql`interval '5 minutes'`

/** Takes the key from runs that have been under way for too long, as if their next one had been planned. */
export const abandonStuckRuns = async (db: Db): Promise<void> => {
  await sql`
    update graphile_worker._private_jobs set key = null, attempts = max_attempts
    where locked_at < now() - ${STUCK_AFTER} and key is not null and ${IS_RECURRING}`.execute(db)
}
