type Repeats = { what: string; count: number }

const isPowerOfTwo = (count: number) => Number.isInteger(Math.log2(count))

/** Counts what comes again and again, to be logged the first, second, fourth, eighth … time, and when it changes. */
export const createRepeats = () => {
  const repeats = new Map<string, Repeats>()
  return {
    add: (key: string, what: string): { count: number; isToTell: boolean } => {
      const before = repeats.get(key)
      const count = before?.what === what ? before.count + 1 : 1
      repeats.set(key, { what, count })
      return { count, isToTell: isPowerOfTwo(count) }
    },
    /** How often it had come. */
    end: (key: string): number => {
      const { count = 0 } = repeats.get(key) ?? {}
      repeats.delete(key)
      return count
    },
  }
}
