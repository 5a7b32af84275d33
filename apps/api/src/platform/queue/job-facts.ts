import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { IS_LEFT_RUN } from '#platform/queue/recurring-runs.ts'

export const JOB_STATES = ['waiting', 'running', 'given-up'] as const
export type JobState = (typeof JOB_STATES)[number]

export type JobFacts = {
  id: string
  task: string
  state: JobState
  attempts: number
  max_attempts: number
  run_at: Date
  created_at: Date
  last_error: string | null
  payload: Record<string, unknown>
}

/** The queue's own view leaves the payload out. */
const STATE = sql<JobState>`case when job.locked_at is not null then 'running'
  when job.attempts >= job.max_attempts then 'given-up' else 'waiting' end`

const select = (where: RawBuilder<unknown>, limit: number) => sql<JobFacts>`
  select * from (
    select job.id::text as id, task.identifier as task, ${STATE} as state, job.attempts, job.max_attempts, job.run_at,
      job.created_at, job.last_error, job.payload
    from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where not ${IS_LEFT_RUN}
  ) as listed where ${where}
  order by run_at, id limit ${limit}`

export type JobFilter = { state?: JobState | undefined; task?: string | undefined }

/** The first in turn first. */
export const listJobFacts = async (
  db: Db,
  { state, task }: JobFilter,
  limit: number,
): Promise<JobFacts[]> => {
  const where = sql`(${state ?? null}::text is null or state = ${state ?? null})
    and (${task ?? null}::text is null or task = ${task ?? null})`
  return (await select(where, limit).execute(db)).rows
}

export const findJobFacts = async (db: Db, id: string): Promise<JobFacts | undefined> =>
  (await select(sql`id = ${id}`, 1).execute(db)).rows[0]

/** Returns those that will run now: not one that runs already. Tries that were used up are given anew. */
export const runNow = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select job.id::text as id from (
      select * from graphile_worker._private_jobs where id = any(${ids}::bigint[]) and not ${IS_LEFT_RUN}
    ) as found,
    lateral graphile_worker.reschedule_jobs(array[found.id], run_at := now(),
      attempts := case when found.attempts >= found.max_attempts then 0 else found.attempts end) as job`.execute(
    db,
  )
  if (rows.length > 0) await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
  return rows.map(({ id }) => id)
}

/** The same for all that were given up. */
export const runGivenUp = async (db: Db): Promise<number> => {
  const { rows } = await sql`
    select job.id from graphile_worker.reschedule_jobs(
      (select array_agg(id) from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null
        and not ${IS_LEFT_RUN}),
      run_at := now(), attempts := 0) as job`.execute(db)
  if (rows.length > 0) await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
  return rows.length
}

/** Only one that was given up goes; false where it is not there, or is tried again by now. */
export const deleteGivenUp = async (db: Db, id: string): Promise<boolean> => {
  const { rows } = await sql`
    delete from graphile_worker._private_jobs
    where id = ${id}::bigint and attempts >= max_attempts and locked_at is null returning id`.execute(db)
  return rows.length > 0
}
