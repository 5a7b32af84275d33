import { SHARE_LINK_DAYS } from '@hedgerow/domain/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { timeLeft } from '#features/connections/time-left.ts'

/** When a link ends, and how long that is: '28/11/2026 14:05, 7 days left'. */
export const sharedUntilLine = (until: Date, now: Date): string =>
  `${formatLocalTime(until)}, ${timeLeft(until, SHARE_LINK_DAYS, now).words.toLowerCase()}`
