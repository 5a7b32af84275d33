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
  const pools = new Set<string>()
  const events = new EventEmitter() as WorkerEvents
  // Jobs are locked in the name of the pool, not of the worker that runs them.
  events.on('pool:create', ({ workerPool }) => pools.add(workerPool.id))
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
  const register = (current: Backend) => registerWorkers(db, [...pools], current)
  try {
    if (backend) await register(backend)
  } catch (error) {
    await runner.stop()
    throw error
  }
  return { register, stop: () => runner.stop() }
}
