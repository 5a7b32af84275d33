import type { Cancellation } from '@hedgerow/contract/cancellations'
import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatDateTime } from '@hedgerow/domain/dates'
import { BLIK_CURRENCY, formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'

type Paid = Pick<PaymentHistoryItem, 'createdAt' | 'total' | 'currency' | 'charged'>

/** Which payment it is: '22/11/2026 14:05, €30.00'. */
export const describePaid = ({ createdAt, total, currency, charged }: Paid): string =>
  `${formatDateTime(new Date(createdAt))}, ${formatCharged(toMinor(charged?.total ?? total) ?? 0, charged?.currency ?? currency.code)}`

export const refundOf = ({ refund, currency }: Pick<Cancellation, 'refund' | 'currency'>): string =>
  formatCharged(toMinor(refund) ?? 0, currency)

/** Which way the money comes back, and how long it takes. */
export const describeWay = ({ currency, isByHand }: Pick<Cancellation, 'currency' | 'isByHand'>): string => {
  if (isByHand)
    return 'Your bank has no way to send it back by itself, so we send it to the account that you paid from, within 14 days.'
  if (currency === BLIK_CURRENCY)
    return 'It goes back in złoty, by Blik, to the account that you paid from. That can take up to ten working days.'
  return 'It goes back to the card that you paid with. Your bank can take up to ten working days to show it.'
}
