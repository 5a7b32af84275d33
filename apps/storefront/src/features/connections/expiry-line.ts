import { formatLocalTime } from '@hedgerow/domain/dates'

export const expiryLine = (expiresAt: Date | null, isExpired: boolean): string =>
  expiresAt ? `${isExpired ? 'Expired' : 'Expires'}: ${formatLocalTime(expiresAt)}` : 'Never expires'
