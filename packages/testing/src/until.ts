const EVERY_MS = 20
/** Far more than anything takes, and less than a test may. */
const WITHIN_MS = 90_000

type Answer<T> = T | undefined | null | false | 0 | ''

/** Asks again until the answer is one: not empty, and without an error. Says nothing of how long that took. */
export const until = async <T>(
  ask: () => Answer<T> | Promise<Answer<T>>,
  withinMs: number = WITHIN_MS,
): Promise<T> => {
  const end = Date.now() + withinMs
  let last: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer) return answer
      last = undefined
    } catch (error) {
      last = error
    }
    if (Date.now() > end) throw last ?? new Error(`It never came true: ${ask}`)
    await new Promise((later) => setTimeout(later, EVERY_MS))
  }
}
