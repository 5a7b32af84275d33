import { EventEmitter } from 'node:events'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Dependencies } from '#dependencies.ts'
import { createTaskList, planRounds } from './tasks.ts'
import { type Backend, registerWorkers, releaseDeadWorkers } from './workers.queries.ts'

export type JobRunner = {
  /** To be called whenever the connection that shows that this process lives is a new one. */
  register: (backend: Backend) => Promise<void>
  stop: () => Promise<void>
}

const CONCURRENCY = 4

/** Runs the queue's jobs in this process, and first gives back what processes that died were at. */
export const startJobs = async (
  deps: Dependencies,
  pool: Pool,
  backend: Backend | undefined,
): Promise<JobRunner> => {
  const { db, log } = deps
  const workerIds: string[] = []
  const events = new EventEmitter() as WorkerEvents
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId))
  events.on('job:error', ({ job, error }) => {
    log.warn({ err: error, job: job.task_identifier, jobId: job.id, attempt: job.attempts }, 'a job failed')
  })
  events.on('job:failed', ({ job, error }) => {
    log.error({ err: error, job: job.task_identifier, jobId: job.id }, 'a job was given up')
  })
  await releaseDeadWorkers(db)
  await planRounds(deps)
  const runner = await run({
    pgPool: pool,
    taskList: createTaskList(deps),
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    events,
    logger: new Logger(() => () => undefined),
  })
  const register = (current: Backend) => registerWorkers(db, workerIds, current)
  if (backend) await register(backend)
  return { register, stop: () => runner.stop() }
}
