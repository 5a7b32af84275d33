import type { PeerReading } from '#device/driver.ts'

/**
 * Whether packets of any customer have arrived within the last moments: their devices send some every 15 seconds. It says
 * that, and not of whom; nothing of it is kept.
 */
export const createHeard = (idOfKey: (key: string) => string | undefined, heardMs: number) => {
  let received: ReadonlyMap<string, number> | undefined
  let heardAt = Number.NEGATIVE_INFINITY
  return {
    /** `now` is of a monotonic clock. Peers of the agent's own and of the shop count for nothing. */
    note: (peers: ReadonlyMap<string, PeerReading>, now: number): void => {
      const before = received
      received = new Map([...peers].map(([key, peer]) => [key, peer.received]))
      const hasMore = ([key, bytes]: readonly [string, number]) => {
        const known = before?.get(key) ?? 0
        // A counter that is lower than before has begun anew.
        return (bytes < known ? bytes > 0 : bytes > known) && idOfKey(key) !== undefined
      }
      if (before && [...received].some(hasMore)) heardAt = now
    },
    is: (now: number): boolean => now - heardAt < heardMs,
  }
}

export type Heard = ReturnType<typeof createHeard>
