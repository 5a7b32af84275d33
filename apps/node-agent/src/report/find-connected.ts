import type { PeerReading } from '#device/driver.ts'

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
/** A handshake just before midnight is reported as the new day's, if nobody looked in between. */
const JUST_MS = 60_000

/** Who was connected today (UTC) and was not reported yet. Kept in memory: reporting it twice does no harm. */
export const createConnectedFinder = (idOfKey: (key: string) => string | undefined) => {
  let day = ''
  let reported = new Set<string>()
  const begin = (now: number) => {
    if (dayOf(now) === day) return
    day = dayOf(now)
    reported = new Set()
  }
  return {
    find: (peers: ReadonlyMap<string, PeerReading>, now: number): string[] => {
      begin(now)
      const ids: string[] = []
      for (const [key, { handshakeS }] of peers) {
        const at = handshakeS * 1000
        if (at === 0 || (dayOf(at) !== day && now - at > JUST_MS)) continue
        const id = idOfKey(key)
        if (id && !reported.has(id)) ids.push(id)
      }
      return ids
    },
    isReported: (id: string, now: number): boolean => {
      begin(now)
      return reported.has(id)
    },
    markReported: (ids: readonly string[]): void => {
      for (const id of ids) reported.add(id)
    },
  }
}
