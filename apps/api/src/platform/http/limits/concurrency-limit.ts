import { Problem } from '#platform/http/problems.ts'

type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

const busy = () => new Problem('unavailable', { retryAfterSeconds: 2 })

/** Does so many things at once, lets so many others wait for their turn, and throws 'unavailable' for any more. */
export const createConcurrencyLimit = ({
  atOnce,
  waiting,
}: {
  atOnce: number
  waiting: number
}): ConcurrencyLimit => {
  const queue: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else if (queue.length >= waiting) throw busy()
    // A call that ends hands its place on.
    else await new Promise<void>((turn) => queue.push(turn))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
