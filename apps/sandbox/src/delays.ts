export type Delays = {
  /** Runs the work later, 0 meaning right after what runs now. The returned function calls it off. */
  after(ms: number, work: () => void): () => void
  close(): void
}

/** Everything that waits, in one place, so that closing ends it all. */
export const startDelays = (): Delays => {
  const waiting = new Set<() => void>()
  let isOpen = true
  return {
    after: (ms, work) => {
      const run = () => {
        waiting.delete(callOff)
        if (isOpen) work()
      }
      const immediate = ms <= 0 ? setImmediate(run) : undefined
      const timer = ms > 0 ? setTimeout(run, ms) : undefined
      timer?.unref()
      const callOff = () => {
        waiting.delete(callOff)
        clearImmediate(immediate)
        clearTimeout(timer)
      }
      waiting.add(callOff)
      return callOff
    },
    close: () => {
      isOpen = false
      for (const callOff of waiting) callOff()
    },
  }
}
