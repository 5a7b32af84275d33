/** Asks anew after so many milliseconds, and for everyone who waits at once. A failure is not kept. */
export const createKept = <T>(forMs: number, ask: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined
  let endsAt = 0
  return () => {
    const now = performance.now()
    if (answer && now < endsAt) return answer
    const asked = ask()
    answer = asked
    endsAt = now + forMs
    asked.catch(() => {
      if (answer === asked) answer = undefined
    })
    return asked
  }
}
