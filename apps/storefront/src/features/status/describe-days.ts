import type { Place } from '@hedgerow/contract/status'
import { daysAfter } from '@hedgerow/domain/dates'

/** The day so many days after that of 2026-08-25: a day of the shop's, wherever it is read. */
const dayOf = (firstDay: string, after: number): string =>
  daysAfter(new Date(`${firstDay}T00:00:00Z`), after)
    .toISOString()
    .slice(0, 10)
    .split('-')
    .reverse()
    .join('/')

export const percent = (uptime: number): string => `${uptime.toFixed(2).replace(/\.00$/, '')}%`

/** '99.98% over 90 days', and of fewer where the others were not checked. */
export const describeUptime = ({ uptime, days }: Place): string => {
  const watched = days.filter((day) => day !== null).length
  if (uptime === null || watched === 0) return 'No history yet'
  if (watched === days.length) return `${percent(uptime)} over ${watched} days`
  return watched === 1
    ? `${percent(uptime)} over one day on record`
    : `${percent(uptime)} over ${watched} days on record`
}

type Day = { day: string; uptime: number }

/** Those that were not up all of the time, the latest first. */
export const daysNotUp = ({ days }: Place, firstDay: string): Day[] =>
  days
    .flatMap((uptime, at) =>
      uptime === null || uptime === 100 ? [] : [{ day: dayOf(firstDay, at), uptime }],
    )
    .reverse()
