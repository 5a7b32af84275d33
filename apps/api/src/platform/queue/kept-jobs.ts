import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '#platform/database/client.ts'
import { type JobName, RECURRING_JOBS } from '#platform/queue/add-job.ts'

/**
 * What a backup keeps of the queue, in the order in which it is copied. With number and time of making, which the Message-ID
 * of its mail is made of. Without locks: who held them is not there after a restore. Recurring jobs are planned anew at every start.
 */
export const KEPT_JOBS = `(
  select job.id, task.identifier, job.payload, job.priority, job.run_at, job.attempts, job.max_attempts, job.last_error,
    job.created_at, job.updated_at, job.key, job.revision, job.flags
  from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
  where task.identifier not in (${RECURRING_JOBS.map((name) => `'${name}'`).join(', ')})
  order by job.id
)`

/** Where they wait until all are there. */
export const ARRIVING_JOBS = 'arriving_jobs'

export const createArrivingJobs = async (db: Db): Promise<void> => {
  await sql`
    create temporary table ${sql.table(ARRIVING_JOBS)} (
      id bigint, identifier text, payload json, priority smallint, run_at timestamptz, attempts smallint,
      max_attempts smallint, last_error text, created_at timestamptz, updated_at timestamptz, key text, revision integer,
      flags jsonb
    ) on commit drop`.execute(db)
}

const LINK_JOBS: readonly JobName[] = ['mail-confirmation', 'mail-reset', 'mail-email-changed']

/**
 * A mailed link is made of its job's number and time: what the same job mailed after the backup, and was used or read by
 * somebody since, opens nothing.
 */
export const renewLinkJobs = async (db: Db): Promise<void> => {
  await sql`
    update graphile_worker._private_jobs as job set created_at = clock_timestamp()
    from graphile_worker._private_tasks as task
    where task.id = job.task_id and identifier = any(${LINK_JOBS}::text[])`.execute(db)
}

/** Puts them into the queue. What is added later is numbered after them. */
export const queueArrivedJobs = async (db: Db): Promise<void> => {
  const arriving = sql.table(ARRIVING_JOBS)
  await sql`
    insert into graphile_worker._private_tasks (identifier)
    select distinct identifier from ${arriving} on conflict do nothing`.execute(db)
  await sql`
    insert into graphile_worker._private_jobs (id, task_id, payload, priority, run_at, attempts, max_attempts, last_error,
      created_at, updated_at, key, revision, flags)
    overriding system value
    select arrived.id, task.id, payload, priority, run_at, attempts, max_attempts, last_error, created_at, updated_at, key,
      revision, flags
    from ${arriving} as arrived join graphile_worker._private_tasks as task using (identifier)`.execute(db)
  await sql`
    select setval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id'), max(id)) from ${arriving}
    having max(id) is not null`.execute(db)
}

/** Whether the queue has been set up, and whether something is in it. */
export const getQueueState = async (db: Db): Promise<{ isThere: boolean; isEmpty: boolean }> => {
  const { rows: found } = await sql<{ is_there: boolean }>`
    select to_regclass('graphile_worker._private_jobs') is not null as is_there`.execute(db)
  if (!found[0]?.is_there) return { isThere: false, isEmpty: true }
  const { rows } = await sql`select from graphile_worker._private_jobs limit 1`.execute(db)
  return { isThere: true, isEmpty: rows.length === 0 }
}

/** Takes the queue away again, for a restore that made it and failed: on a connection that nothing has happened to. */
export const dropQueue = async ({ pool }: { pool: Pool }): Promise<void> => {
  await pool.query('drop schema if exists graphile_worker cascade')
}

/** No worker of then lives: what they were at is to be done. */
export const freeJobs = async (db: Db): Promise<void> => {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null`.execute(
    db,
  )
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null`.execute(
    db,
  )
}
