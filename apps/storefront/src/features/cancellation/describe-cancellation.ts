import type { Cancellation } from '@hedgerow/contract/cancellations'
import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'

type Paid = Pick<PaymentHistoryItem, 'createdAt' | 'total' | 'currency' | 'charged'>

/** Which payment it is: '22/11/2026 14:05, €30.00'. */
export const describePaid = ({ createdAt, total, currency, charged }: Paid): string =>
  `${formatLocalTime(new Date(createdAt))}, ${formatCharged(toMinor(charged?.total ?? total) ?? 0, charged?.currency ?? currency.code)}`

export const refundOf = ({ refund, currency }: Pick<Cancellation, 'refund' | 'currency'>): string =>
  formatCharged(toMinor(refund) ?? 0, currency)
