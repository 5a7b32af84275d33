/** Less than this is what a slow answer makes of two clocks that agree, and does no harm. */
const TOLERATED_MS = 30_000

/**
 * The time by which connections end. It is the server's own, unless the shop's is another: a server whose clock is a day
 * ahead must not end what has a day to go. `onChange` gets how far the server's clock is ahead of the shop's.
 */
export const createClock = (onChange: (aheadMs: number) => void) => {
  let offset = 0
  return {
    now: (): number => Date.now() + offset,
    /** The shop has just said what time it is. */
    sync: (shopTime: number): void => {
      const seen = shopTime - Date.now()
      if (!Number.isFinite(seen)) return
      const next = Math.abs(seen) < TOLERATED_MS ? 0 : seen
      if (Math.abs(next - offset) < TOLERATED_MS && (next === 0) === (offset === 0)) return
      offset = next
      onChange(0 - offset)
    },
  }
}

export type Clock = ReturnType<typeof createClock>
