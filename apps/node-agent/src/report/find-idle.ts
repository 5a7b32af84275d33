import type { PeerReading } from '#device/driver.ts'

/**
 * Keys of the peers whose session is over and whose endpoint WireGuard still remembers. One without a handshake may be
 * in the middle of its first: it counts only if it was so at the last look already.
 */
export const createIdleFinder = (idleMs: number) => {
  let unfinished = new Set<string>()
  return (peers: ReadonlyMap<string, PeerReading>, now: number): string[] => {
    const withoutHandshake = new Set<string>()
    const idle: string[] = []
    for (const [key, { hasEndpoint, handshakeS }] of peers) {
      if (!hasEndpoint) continue
      if (handshakeS === 0) withoutHandshake.add(key)
      if (handshakeS === 0 ? unfinished.has(key) : now - handshakeS * 1000 > idleMs) idle.push(key)
    }
    unfinished = withoutHandshake
    return idle
  }
}
