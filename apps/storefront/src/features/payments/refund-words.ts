import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'

type Refunded = Pick<PaymentHistoryItem, 'total' | 'charged'>
type Refund = PaymentHistoryItem['refunds'][number]

/** How a refund stands, in plain words: with its sum, unless it is all that was paid. */
export const refundWords = ({ total, charged }: Refunded, refund: Refund): string => {
  const isAll = refund.total === (charged?.total ?? total)
  const sum = formatCharged(toMinor(refund.total) ?? 0, refund.currency)
  switch (refund.status) {
    case 'Success':
      return isAll ? 'Refunded' : `Partly refunded ${sum}`
    case 'Pending':
      return isAll ? 'Refund on its way' : `Refund on its way ${sum}`
    case 'Decline':
      return `Refund of ${sum} did not go through. Please write to us`
  }
}
