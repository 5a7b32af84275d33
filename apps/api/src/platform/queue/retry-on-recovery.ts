import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/database/client.ts'
import { runFailedNow } from '#platform/queue/run-failed-now.ts'

/** Whether a service outside answers, as far as this process knows. */
export type RetryOnRecovery = {
  failed: () => void
  answered: () => void
  stop: () => Promise<void>
}

type OutsideService = {
  name: string
  /** The errors of jobs that failed because it was away, as a regular expression of PostgreSQL. */
  errors: string
  /** Whether it is back, where that can be asked without a job. */
  probe?: () => Promise<boolean>
}

/** It is not asked more often, and jobs are not brought forward more often: each try counts against a job. */
const EVERY_MS = 30_000

/**
 * Jobs that fail wait ever longer, up to hours. What failed because a service outside was away runs at once when it is back;
 * what failed by itself keeps its pause.
 */
export const createRetryOnRecovery = (
  { db, log }: { db: Db; log: Pick<FastifyBaseLogger, 'info' | 'warn'> },
  { name, errors, probe }: OutsideService,
  everyMs = EVERY_MS,
): RetryOnRecovery => {
  // The process before this one may have left jobs that wait for it.
  let isAway = true
  let isStopped = false
  let lastAt = Number.NEGATIVE_INFINITY
  let work: Promise<void> | undefined

  const bringForward = async (): Promise<void> => {
    isAway = false
    lastAt = performance.now()
    const jobs = await runFailedNow(db, errors)
    if (jobs > 0) log.info({ name, jobs }, 'somebody outside answers again, and what waited for them runs')
  }
  /** One at a time; what fails is tried again. */
  const begin = (step: () => Promise<void>): void => {
    if (work || isStopped) return
    work = step()
      .catch((err: unknown) => {
        isAway = true
        log.warn({ err, name }, 'jobs could not be brought forward')
      })
      .finally(() => {
        work = undefined
      })
  }
  const timer = probe
    ? setInterval(() => {
        if (isAway)
          begin(async () => {
            if (await probe()) await bringForward()
          })
      }, everyMs).unref()
    : undefined

  return {
    failed: () => {
      isAway = true
    },
    answered: () => {
      if (isAway && performance.now() - lastAt >= everyMs) begin(bringForward)
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await work
    },
  }
}
