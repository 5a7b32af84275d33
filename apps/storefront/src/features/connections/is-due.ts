import type { Connection } from '@hedgerow/contract/connections'
import { isSoonOver } from '@hedgerow/domain/connections'
import { boughtDays } from '#features/connections/bought-days.ts'

/** Ended, or soon will, and something can be done about it. One that is still to be set up is not renewed first. */
export const isDue = (connection: Connection, now: Date): boolean => {
  const { isRenewable, expirationDate, status } = connection
  if (!isRenewable || expirationDate === null) return false
  const end = new Date(expirationDate)
  return status === 'never-connected' ? end < now : isSoonOver(end, boughtDays(connection), now)
}
