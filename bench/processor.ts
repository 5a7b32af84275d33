import { readdirSync } from 'node:fs'
import { timesOf } from '../scripts/processor-time.ts'

/** Milliseconds of the processors, user's and system's, that these programs and all that they started have used so far. */
export const processorMs = (roots: readonly number[]): number => {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const times = timesOf(pid)
        return times ? [[Number(pid), times] as const] : []
      }),
  )
  const belongs = (pid: number): boolean =>
    roots.includes(pid) || (all.has(pid) && belongs(all.get(pid)?.parent ?? 0))
  let seconds = 0
  for (const [pid, { own, ofEnded }] of all) if (belongs(pid)) seconds += own + ofEnded
  return seconds * 1000
}

const DOCUMENT = JSON.stringify(
  Array.from({ length: 500 }, (_, n) => ({ id: n, name: `connection ${n}`, parts: [n, `${n}`, null] })),
)

/** What the same work takes on this machine at this moment, in milliseconds of its processor: machines differ, and from hour to hour. */
export const yardstickMs = (): number => {
  const before = process.cpuUsage()
  let length = 0
  for (let n = 0; n < 300; n++) length += JSON.stringify(JSON.parse(DOCUMENT)).length
  const { user, system } = process.cpuUsage(before)
  if (length !== 300 * DOCUMENT.length) throw new Error('a document was read wrongly')
  return (user + system) / 1000
}
