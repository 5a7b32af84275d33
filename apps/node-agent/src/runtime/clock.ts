/** Less than this is what a slow answer makes of two clocks that agree, and does no harm. */
const TOLERATED_MS = 30_000
const HOUR_MS = 3_600_000

/** `aheadMs` is how far the server's clock is ahead of the shop's. */
type OnChange = (aheadMs: number, wasAheadMs: number) => void

/**
 * The time by which connections end. It is the server's own, unless the shop's is another: a server whose clock is a day
 * ahead must not end what has a day to go. Until the shop has said what time it is, it is taken to be no later than it was
 * when the agent last knew (`lastKnown`) and what has passed since the start, so that nothing ends too early.
 */
export const createClock = (onChange: OnChange, lastKnown?: number) => {
  const startedAt = performance.now()
  let offset = 0
  let isHeard = false
  const now = (): number =>
    isHeard || lastKnown === undefined ? Date.now() + offset : lastKnown + performance.now() - startedAt
  return {
    now,
    /** Whether its time can be kept for the next start. */
    isKnown: (): boolean => isHeard || lastKnown !== undefined,
    /** The shop has just said what time it is. */
    sync: (shopTime: number): void => {
      const seen = shopTime - Date.now()
      if (!Number.isFinite(seen)) return
      const [before, was] = [now(), offset]
      isHeard = true
      const next = Math.abs(seen) < TOLERATED_MS ? 0 : seen
      if (Math.abs(next - was) >= TOLERATED_MS || (next === 0) !== (was === 0)) offset = next
      if (offset !== was || Math.abs(now() - before) >= TOLERATED_MS) onChange(0 - offset, 0 - was)
    },
    /** By an hour less signatures of names still hold, and certificates too. */
    faults: (): string[] => {
      const hours = Math.round(Math.abs(offset) / HOUR_MS)
      if (hours === 0) return []
      const how = `${hours} ${hours === 1 ? 'hour' : 'hours'} ${offset < 0 ? 'ahead' : 'behind'}`
      return [`The clock of this server is ${how}, and names and certificates are checked by it: correct it.`]
    },
  }
}

export type Clock = ReturnType<typeof createClock>
