import type { Connection } from '@hedgerow/contract/connections'
import { DAY_MS } from '@hedgerow/domain/dates'
import { isOver } from '#features/connections/is-over.ts'

/** What ends within so many days is soon to be renewed: well before the first reminder is mailed. */
const SOON_DAYS = 7

const endOf = ({ expirationDate }: Connection) =>
  expirationDate === null ? Number.POSITIVE_INFINITY : Date.parse(expirationDate)

/** Ended, or soon will, and something can be done about it. */
export const isDue = (connection: Connection, now: Date): boolean =>
  connection.isRenewable && endOf(connection) - now.getTime() <= SOON_DAYS * DAY_MS

/** What is due comes first, the nearest end at the top; then what ends next; last what is over for good. */
export const inOrder = (connections: readonly Connection[], now: Date): Connection[] => {
  const place = (one: Connection) => {
    if (isDue(one, now)) return 0
    return isOver(one, now) ? 2 : 1
  }
  const away = (one: Connection) => Math.abs(endOf(one) - now.getTime())
  return connections.toSorted(
    // Two that never end are as far away as each other.
    (one, other) => place(one) - place(other) || away(one) - away(other) || 0,
  )
}
