import type { PeerReading } from '#device/driver.ts'

export type Bytes = { received: number; sent: number }
export const NONE: Bytes = { received: 0, sent: 0 }

/** A counter that is lower than before has begun anew. */
export const since = ({ received, sent }: Bytes, before: Bytes): Bytes =>
  received < before.received || sent < before.sent
    ? { received, sent }
    : { received: received - before.received, sent: sent - before.sent }

/**
 * Bytes by peer that have not been reported. What the counters showed before the agent started may have been reported
 * by the one before it: better too little than twice.
 */
export const createUsage = () => {
  let counters: Map<string, Bytes> | undefined
  let unreported = new Map<string, Bytes>()
  return {
    note: (peers: ReadonlyMap<string, PeerReading>): void => {
      const now = new Map<string, Bytes>()
      for (const [key, { received, sent }] of peers) {
        const read = { received, sent }
        now.set(key, read)
        const more = since(read, counters ? (counters.get(key) ?? NONE) : read)
        if (more.received + more.sent === 0) continue
        const sum = unreported.get(key) ?? NONE
        unreported.set(key, { received: sum.received + more.received, sent: sum.sent + more.sent })
      }
      counters = now
    },
    /** Hands on what is unreported, and forgets it. */
    take: (): Map<string, Bytes> => {
      const taken = unreported
      unreported = new Map()
      return taken
    },
  }
}
