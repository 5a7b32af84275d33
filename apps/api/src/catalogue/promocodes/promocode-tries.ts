import type { RateCounter } from '#platform/http/limits/rate-counter.ts'
import { Problem } from '#platform/http/problems.ts'

const TRIES_AN_HOUR = 10
const HOUR_S = 3_600

/**
 * Looks a code up for an account. Finding none counts; of many at once no more are looked up than are left. Codes that are
 * someone's may be entered at will. Throws 'too-many-requests', then for any code: the answer would tell a guess from a
 * code.
 */
export const countGuesses = async <T>(
  { rateCounter }: { rateCounter: RateCounter },
  customerId: string,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  const tries = { name: 'promocode tries', of: customerId, most: TRIES_AN_HOUR, seconds: HOUR_S }
  const wait = await rateCounter.count(tries)
  if (wait !== undefined)
    throw new Problem('too-many-requests', {
      detail: 'You have tried too many unknown promocodes. Try again in an hour, or pay without one.',
      retryAfterSeconds: wait,
    })
  let isGuess = false
  try {
    const found = await find()
    isGuess = found === undefined
    return found
  } finally {
    if (!isGuess) await rateCounter.giveBack(tries)
  }
}
