import { DAY_MS } from '@hedgerow/domain/dates'
import type { Chance } from '#demo/chance.ts'

/** When people come: by the day of the week, Sunday first, and by the hour in UTC. */
const WEEK = [0.82, 1.22, 1.16, 1.06, 1, 0.86, 0.7]
const HOURS = [2, 1, 1, 1, 1, 2, 4, 6, 8, 9, 10, 10, 11, 10, 10, 10, 11, 12, 14, 15, 15, 12, 8, 4]

const HOUR_MS = 3_600_000
/** At the end so many come in a day as this many times at the beginning. */
const GROWTH = 3.2

/** A time of that day, drawn by its hours. */
export const timeOfDay = (chance: Chance, midnight: number): number => {
  const hour = chance.weigh(HOURS.map((often, at) => [often, at] as const))
  return midnight + hour * HOUR_MS + chance.below(HOUR_MS)
}

/** A time that people are awake at, about so many days after another one. */
export const daysAfter = (chance: Chance, at: number, days: number): number => {
  const midnight = Math.floor(at / DAY_MS + days) * DAY_MS
  return Math.max(at + HOUR_MS, timeOfDay(chance, midnight))
}

/** When each of so many comes, within so many days up to now, the first first: more from week to week. */
export const drawArrivals = (chance: Chance, now: Date, days: number, count: number): number[] => {
  const today = Math.floor(now.getTime() / DAY_MS)
  const weights = Array.from({ length: days }, (_, at) => {
    const day = today - days + 1 + at
    const growth = GROWTH ** (at / days)
    // The first of January 1970 was a Thursday.
    const ofWeek = WEEK[(day + 4) % 7] ?? 1
    // Someone has written about the shop.
    const isTalkedOf = at % 37 === 22 || at % 37 === 23
    const ofDay = (0.88 + 0.24 * chance.draw()) * (isTalkedOf ? 1.5 : 1)
    return [growth * ofWeek * ofDay, day] as const
  })
  return Array.from({ length: count }, () => timeOfDay(chance, chance.weigh(weights) * DAY_MS))
    .filter((at) => at < now.getTime())
    .sort((one, other) => one - other)
}
