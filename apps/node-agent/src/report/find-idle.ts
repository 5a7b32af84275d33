import type { PeerReading } from '#device/driver.ts'

type Seen = { handshakeS: number; at: number }

/**
 * Keys of the peers whose session is over and whose endpoint WireGuard still remembers. One without a handshake may be
 * in the middle of its first: it counts only if it was so at the last look already. `now` is of a monotonic clock, since a
 * server's clock that is set by a day would end all sessions.
 */
export const createIdleFinder = (idleMs: number) => {
  /** Since when each peer's last handshake is known. */
  let seen = new Map<string, Seen>()
  return (peers: ReadonlyMap<string, PeerReading>, now: number): string[] => {
    const found = new Map<string, Seen>()
    const idle: string[] = []
    for (const [key, { hasEndpoint, handshakeS }] of peers) {
      if (!hasEndpoint) continue
      const before = seen.get(key)
      const isSame = before?.handshakeS === handshakeS
      const { at } = isSame ? before : { at: now }
      found.set(key, { handshakeS, at })
      if (handshakeS === 0 ? isSame : now - at > idleMs) idle.push(key)
    }
    seen = found
    return idle
  }
}
