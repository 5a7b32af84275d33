import type { FastifyBaseLogger } from 'fastify'

/** What no answer waits for, and the stop of the process does. */
export type Later = {
  run: (what: string, work: () => Promise<void>) => void
  /** Once all is done that was begun. */
  finished: () => Promise<void>
}

/** By then the answer is on its way, so that it tells nothing of the work. */
const DELAY_MS = 100

/** A flood takes no more of the memory; what is beyond is logged as lost. */
const MOST_WAITING = 1_000

/**
 * Does one after the other, in the name of the call that led to it: however many wait, they take one connection of the
 * database. What fails is logged, and done no more.
 */
export const createLater = (
  log: Pick<FastifyBaseLogger, 'error'>,
  delayMs = DELAY_MS,
  mostWaiting = MOST_WAITING,
): Later => {
  let last = Promise.resolve()
  let waiting = 0
  return {
    run: (what, work) => {
      if (waiting >= mostWaiting) {
        log.error({ what, waiting }, 'too much is to be done later: one thing was left out')
        return
      }
      waiting++
      const due = new Promise((resolve) => setTimeout(resolve, delayMs))
      last = Promise.all([last, due])
        .then(work)
        .catch((err: unknown) => log.error({ err, what }, 'what was to be done later failed'))
        .finally(() => waiting--)
    },
    finished: () => last,
  }
}
