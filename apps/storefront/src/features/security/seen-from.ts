import { formatLocalDay } from '@hedgerow/domain/dates'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const DAYS = 7

type From = { browser: string | null; network: string | null }

export const browserOf = ({ browser }: Pick<From, 'browser'>): string => browser ?? 'Unknown browser'

/** From where someone called, in one line. */
export const seenFrom = (from: From): string =>
  from.network === null ? browserOf(from) : `${browserOf(from)}, network ${from.network}`

const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** That a session was used is written down once an hour, so nothing finer is said; on a clock that is off, not the future. */
export const lastUsed = (at: Date, now: Date): string => {
  const hours = Math.floor((now.getTime() - at.getTime()) / HOUR_MS)
  if (hours < 1) return 'within the last hour'
  if (hours < DAY_HOURS) return ago(hours, 'hour')
  const days = Math.floor(hours / DAY_HOURS)
  return days <= DAYS ? ago(days, 'day') : `on ${formatLocalDay(at)}`
}
