import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { isRecurringJob, RECURRING_JOBS } from '#platform/queue/add-job.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db'>

/** Jobs that are due within a minute: those that come round for ever or wait on purpose are not meant. */
export const waitingJobs = async ({ db }: Shop): Promise<string[]> => {
  const { rows } = await sql<{ task: string }>`
    select task_identifier as task from graphile_worker.jobs
    where task_identifier <> all(${[...RECURRING_JOBS, 'mail-declined']}::text[])
      and run_at < now() + interval '1 minute'`.execute(db)
  return rows.map(({ task }) => task)
}

/** Waits until everything that was queued is done, so that a test can say what did not happen. */
export const queueIsEmpty = (shop: Shop): Promise<boolean> =>
  until(async () => {
    const waiting = await waitingJobs(shop)
    if (waiting.length > 0) throw new Error(`Still waiting: ${waiting.join(', ')}`)
    return true
  })

/** Whether a job of a kind is due that no worker has taken yet. */
export const isDue = async ({ db }: Shop, task: string): Promise<boolean> => {
  const { rows } = await sql`select from graphile_worker.jobs
    where task_identifier = ${task} and locked_at is null and run_at <= now()`.execute(db)
  return rows.length > 0
}

/** Of a kind. One that is under way has perhaps looked already, and plans its next run when it has ended. */
const isUnderWay = async ({ db }: Shop, task: string): Promise<boolean> => {
  const { rows } = await sql`select from graphile_worker.jobs
    where task_identifier = ${task} and locked_at is not null`.execute(db)
  return rows.length > 0
}

/** Makes jobs of a kind due now, and wakes the workers; also beside a run that a test holds up. */
export const makeDue = async ({ db }: Shop, task: string): Promise<void> => {
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    from graphile_worker.jobs where task_identifier = ${task} and locked_at is null`.execute(db)
  await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
}

/** Runs a job from now on, so that it sees all that is there now; tests do not wait for clocks. */
export const hurry = async (shop: Shop, task: string): Promise<void> => {
  if (isRecurringJob(task)) await until(async () => !(await isUnderWay(shop, task)))
  await makeDue(shop, task)
}

/** Keeps a recurring job from its next run for an hour. A run that is under way would plan that run anew: it ends first. */
export const postpone = ({ db }: Shop, task: string): Promise<boolean> =>
  until(async () => {
    await sql`select graphile_worker.add_job(${task}, '{}'::json, run_at := now() + interval '1 hour',
      job_key := ${task})`.execute(db)
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier = ${task} and locked_at is not null`.execute(db)
    return rows.length === 0
  })
