import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import type { Chance } from '#testing/torture/chance.ts'

const SECOND_MS = 1000
/** Months that are over for good, whatever the day. */
const LEAST_AGO = 2
const MOST_AGO = 13

/** So many months before the one of a time. */
export const monthAgo = (now: Date, ago: number): Month => {
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))
  return parseMonth(at.toISOString().slice(0, 7)) as Month
}

/** A month of the last year; often one in which the clocks are changed, or a year begins or ends. */
export const drawMonth = (chance: Chance, now: Date): Month => {
  const all = Array.from({ length: MOST_AGO - LEAST_AGO }, (_, at) => monthAgo(now, at + LEAST_AGO))
  const special = all.filter(({ name }) => ['01', '03', '10', '12'].includes(name.slice(5)))
  return chance.pick(chance.is(0.6) ? special : all)
}

/** A time of the month; often its first or last instant, or the last before it or the first after it, in London. */
export const drawTime = (chance: Chance, { from, to }: Month): Date => {
  const edges = [
    from.getTime(),
    from.getTime() + SECOND_MS,
    to.getTime() - SECOND_MS,
    to.getTime() - 1,
    from.getTime() - 1,
    to.getTime(),
  ]
  const within = from.getTime() + chance.below(to.getTime() - from.getTime())
  return new Date(chance.is(0.4) ? chance.pick(edges) : within)
}

/** The same, but never of another month. */
export const drawTimeWithin = (chance: Chance, month: Month): Date => {
  const at = drawTime(chance, month).getTime()
  return new Date(Math.min(Math.max(at, month.from.getTime()), month.to.getTime() - 1))
}
