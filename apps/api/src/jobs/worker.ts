import { EventEmitter } from 'node:events'
import { type Job, Logger, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { planRecurringJobs, replaceStuckRuns } from '#jobs/recurring-jobs.ts'
import { createTaskList, requestIdOf } from '#jobs/tasks.ts'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import type { With } from '#platform/dependencies.ts'
import { createRepeats } from '#platform/instrumentation/repeats.ts'
import { LANES, type Lane } from '#platform/queue/lanes.ts'
import { type Backend, registerWorkers, releaseDeadWorkers, releaseWorkers } from '#platform/queue/workers.ts'

export type JobRunner = {
  /** To be called whenever the connection that shows that this process lives is a new one. */
  register: (backend: Backend) => Promise<void>
  stop: () => Promise<void>
}

/** What a line of the log says of a job: the same id as on the other lines of its run. */
const named = (job: Job) => {
  const requestId = requestIdOf(job)
  return { job: job.task_identifier, jobId: job.id, ...(requestId ? { requestId } : {}) }
}

/**
 * How many jobs of a lane run at once in this process. Those that wait for the gateway cost nothing while they wait. Mails
 * are bounded by what those with documents take from customers (012).
 */
const AT_ONCE: Readonly<Record<Lane, number>> = { gateway: 4, answers: 4, links: 2, mails: 2, shop: 4 }

/** Workers, and the lanes whose jobs they run. */
export type Workers = { lanes: readonly Lane[]; atOnce: number }

const WORKERS_OF_EACH: readonly Workers[] = LANES.map((lane) => ({ lanes: [lane], atOnce: AT_ONCE[lane] }))

/** How long a queue that broke off rests before it is started again. */
const AGAIN_MS = 1_000

/** How often it is looked whether every recurring job still comes round. */
const WATCH_MS = 60_000

/**
 * In batches, even of one: else nothing in the queue listens when the end of a job cannot be written down, and Node.js ends
 * the process for it.
 */
const SAFE_ENDS = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }

/** The queue's events, of which failures are logged. */
const loggedEvents = ({ log }: With<'log'>): WorkerEvents => {
  const events = new EventEmitter() as WorkerEvents
  events.on('job:error', ({ job, error }) => {
    log.warn({ err: error, ...named(job), attempt: job.attempts }, 'a job failed')
  })
  events.on('job:failed', ({ job, error }) => {
    log.error({ err: error, ...named(job) }, 'a job was given up')
  })
  return events
}

const runWorkers = (
  deps: ShopDependencies,
  { lanes, atOnce }: Workers,
  pgPool: Pool,
  events: WorkerEvents,
): Promise<Runner> =>
  run({
    pgPool,
    taskList: createTaskList(deps, lanes),
    concurrency: atOnce,
    noHandleSignals: true,
    preset: { worker: SAFE_ENDS },
    events,
    logger: new Logger(() => () => undefined),
  })

/** What these workers were at when they broke off is free now, and so is what dead processes were at. */
const takeOver = async (deps: ShopDependencies, pools: readonly string[]): Promise<void> => {
  await releaseWorkers(deps.db, pools)
  await releaseDeadWorkers(deps.db)
  await planRecurringJobs(deps)
}

/**
 * Runs some lanes' jobs in this process. Where the database goes away under a job, their workers end: they are started
 * again, as often as that happens.
 */
const startWorkers = async (
  deps: ShopDependencies,
  workers: Workers,
  pool: Pool,
  backend: Backend | undefined,
): Promise<JobRunner> => {
  const { db, log } = deps
  const lane = workers.lanes.join(', ')
  let pools: string[] = []
  let lastBackend = backend
  let runner: Runner | undefined
  let isStopped = false
  let again: NodeJS.Timeout | undefined
  const events = loggedEvents(deps)
  // Jobs are locked in the name of the pool, not of the worker that runs them.
  events.on('pool:create', ({ workerPool }) => pools.push(workerPool.id))

  const start = async (): Promise<void> => {
    if (pools.length > 0) await takeOver(deps, pools)
    pools = []
    const started = await runWorkers(deps, workers, pool, events)
    runner = started
    const ended = (error?: unknown) => {
      if (isStopped || runner !== started) return
      runner = undefined
      log.warn({ err: error, lane }, 'the queue stopped unexpectedly, and is started again')
      startAgain()
    }
    started.promise.then(() => ended(), ended)
    if (isStopped) return started.stop()
    if (!lastBackend) return
    await registerWorkers(db, pools, lastBackend).catch(async (error: unknown) => {
      runner = undefined
      await started.stop().catch(() => undefined)
      throw error
    })
  }

  const failures = createRepeats()

  const startAgain = (): void => {
    if (isStopped) return
    const onFault = (error: unknown) => {
      const { count, isToTell } = failures.add(lane, 'not started')
      if (isToTell) log.warn({ err: error, lane, times: count }, 'the queue could not be started')
      startAgain()
    }
    again = setTimeout(() => void start().then(() => failures.end(lane), onFault), AGAIN_MS)
  }

  await start()
  return {
    register: (current) => {
      lastBackend = current
      return registerWorkers(db, pools, current)
    },
    stop: async () => {
      isStopped = true
      clearTimeout(again)
      await runner?.stop()
    },
  }
}

/**
 * Runs the queue's jobs in this process, each lane by itself unless said otherwise, and first gives back what processes
 * that died were at.
 */
export const startJobs = async (
  deps: ShopDependencies,
  pool: Pool,
  backend: Backend | undefined,
  workersOfLanes = WORKERS_OF_EACH,
): Promise<JobRunner> => {
  const runners: JobRunner[] = []
  await takeOver(deps, [])
  const watch = setInterval(
    () =>
      void replaceStuckRuns(deps).catch((err: unknown) =>
        deps.log.warn({ err }, 'recurring jobs could not be checked'),
      ),
    WATCH_MS,
  ).unref()
  const stop = async () => {
    clearInterval(watch)
    await Promise.all(runners.map((runner) => runner.stop()))
  }
  try {
    for (const workers of workersOfLanes) runners.push(await startWorkers(deps, workers, pool, backend))
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
  return {
    register: async (current) => {
      for (const runner of runners) await runner.register(current)
    },
    stop,
  }
}
