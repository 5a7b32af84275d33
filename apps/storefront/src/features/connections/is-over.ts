import type { Connection } from '@hedgerow/contract/connections'
import { isActive } from '@hedgerow/domain/connections'

/** As the server says, which may have ended it a moment ago, or run out since the page was loaded. */
export const isOver = ({ status, expirationDate }: Connection, now: Date): boolean =>
  status === 'expired' || !isActive(expirationDate === null ? null : new Date(expirationDate), now)
