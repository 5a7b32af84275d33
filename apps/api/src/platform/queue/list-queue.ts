import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { isRecurringJob } from '#platform/queue/add-job.ts'
import { IS_LEFT_RUN } from '#platform/queue/recurring-runs.ts'

export type QueueState = 'due' | 'planned' | 'running' | 'given_up'
export type QueuedJobs = { task: string; state: QueueState; count: number; oldest_seconds: number }

/** The queue by job: due now, planned for later, being run, or given up; how long the first has been due. */
export const listQueue = async (db: Db): Promise<QueuedJobs[]> => {
  const { rows } = await sql<QueuedJobs>`
    select task_identifier as task, state, count(*)::float8 as count,
      greatest(0, extract(epoch from now() - min(run_at)))::float8 as oldest_seconds
    from (
      select task.identifier as task_identifier, run_at, case
        when locked_at is not null then 'running'
        when attempts >= max_attempts then 'given_up'
        when run_at <= now() then 'due'
        else 'planned' end as state
      from graphile_worker._private_jobs
      join graphile_worker._private_tasks as task on task.id = task_id
      where not ${IS_LEFT_RUN}
    ) as job
    group by task_identifier, state`.execute(db)
  return rows
}

const sum = (jobs: readonly QueuedJobs[]) => jobs.reduce((all, { count }) => all + count, 0)

/** How many jobs are yet to be begun, and how many have been given up. Recurring jobs always wait, and say nothing. */
export const countJobs = async (db: Db): Promise<{ waiting: number; givenUp: number }> => {
  const queue = await listQueue(db)
  const isWaiting = ({ task, state }: QueuedJobs) =>
    ['due', 'planned'].includes(state) && !isRecurringJob(task)
  return {
    waiting: sum(queue.filter(isWaiting)),
    givenUp: sum(queue.filter(({ state }) => state === 'given_up')),
  }
}

/** How long ago the oldest mail was queued that was tried and not accepted, and will be tried again; 0: there is none. */
export const mailWaitingSeconds = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from graphile_worker.jobs
    where task_identifier like 'mail-%' and attempts > 0 and attempts < max_attempts and locked_at is null`.execute(
    db,
  )
  return rows[0]?.seconds ?? 0
}
