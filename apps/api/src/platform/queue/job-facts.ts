import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'
import { IS_LEFT_RUN } from '#platform/queue/recurring-runs.ts'

type JobState = 'waiting' | 'running' | 'given-up'

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

const facts = (db: Db) =>
  db
    .selectFrom(
      sql<JobFacts>`(
        select job.id::text as id, task.identifier as task, ${STATE} as state, job.attempts, job.max_attempts,
          job.run_at, job.created_at, job.last_error, job.payload
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where not ${IS_LEFT_RUN})`.as('listed'),
    )
    .selectAll()

/** What a search finds, in no order. */
export const selectJobFacts = (
  db: Db,
  { state, name }: { state?: JobState | undefined; name?: string | undefined },
) =>
  facts(db)
    .$if(state !== undefined, (query) => query.where('listed.state', '=', state as JobState))
    .$if(name !== undefined, (query) => query.where('listed.task', '=', name as string))

/** What lists are sorted by. */
export const jobOrder = {
  sorts: {
    runsAt: { by: sql`listed.run_at`, type: 'timestamptz' },
    createdAt: { by: sql`listed.created_at`, type: 'timestamptz' },
  },
  id: { by: sql`listed.id::bigint`, type: 'bigint' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

export const findJobFacts = (db: Db, id: string): Promise<JobFacts | undefined> =>
  facts(db).where('listed.id', '=', id).executeTakeFirst()

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
