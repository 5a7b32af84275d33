import type { PeerReading } from '#device/driver.ts'

const WITHIN_MS = 600_000
/** A phone that leaves its home's network and comes back has returned once. */
const RETURNS = 4
const KEPT_AT_MOST = 20

type Move = { from: string; at: number; isReturn: boolean }
type Places = { now: string; moves: readonly Move[] }

/**
 * Keys that two devices seem to use at once: each takes the peer's endpoint from the other, so that it goes back again and
 * again to where it was a moment ago. A device that roams comes to new places. Kept in memory, while WireGuard knows a place.
 */
export const createUsedTwiceFinder = () => {
  let known = new Map<string, Places>()

  const after = (before: Places | undefined, place: string, now: number): Places => {
    const moves = (before?.moves ?? []).filter(({ at }) => now - at < WITHIN_MS)
    if (!before || before.now === place) return { now: place, moves }
    const isReturn = moves.some(({ from }) => from === place)
    return { now: place, moves: [...moves, { from: before.now, at: now, isReturn }].slice(-KEPT_AT_MOST) }
  }
  return (peers: ReadonlyMap<string, PeerReading>, now: number): string[] => {
    const next = new Map<string, Places>()
    for (const [key, { place }] of peers) if (place !== '') next.set(key, after(known.get(key), place, now))
    known = next
    return [...next].flatMap(([key, { moves }]) =>
      moves.filter(({ isReturn }) => isReturn).length >= RETURNS ? [key] : [],
    )
  }
}
