import type { Connection } from '@hedgerow/contract/connections'
import { SOON_DAYS } from '@hedgerow/domain/connections'
import { DAY_MS } from '@hedgerow/domain/dates'

/** Ended, or soon will, and something can be done about it. */
export const isDue = ({ isRenewable, expirationDate }: Connection, now: Date): boolean =>
  isRenewable && expirationDate !== null && Date.parse(expirationDate) - now.getTime() <= SOON_DAYS * DAY_MS
