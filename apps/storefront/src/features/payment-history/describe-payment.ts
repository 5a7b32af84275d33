import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatDate } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import type { BadgeTone } from '#ui/badge.tsx'

type StatusLabel = { text: string; tone: BadgeTone }

const UNDER_WAY: StatusLabel = { text: 'Under way', tone: 'quiet' }
const AT_BANK: StatusLabel = { text: 'Waiting for you at your bank', tone: 'warning' }
const WAITS: StatusLabel = { text: 'Waiting for you', tone: 'warning' }

const LABELS: Record<PaymentStatus, StatusLabel> = {
  Pending: UNDER_WAY,
  processing: UNDER_WAY,
  'awaiting 3ds result': AT_BANK,
  'awaiting redirect result': AT_BANK,
  'awaiting clarification': WAITS,
  'awaiting customer action': WAITS,
  'awaiting merchant auth': WAITS,
  Success: { text: 'Paid', tone: 'good' },
  Decline: { text: 'Declined, not charged', tone: 'bad' },
  Error: { text: 'Failed, not charged', tone: 'bad' },
}

/** How a payment stands, in plain words. */
export const describeStatus = ({
  status,
  refundDue,
  refunds,
  isLeft,
  cancelledAt,
}: Pick<PaymentHistoryItem, 'status' | 'refundDue' | 'refunds' | 'isLeft' | 'cancelledAt'>): StatusLabel => {
  if (cancelledAt) return { text: `Cancelled on ${formatDate(new Date(cancelledAt))}`, tone: 'quiet' }
  if (isLeft) return { text: 'Left for another try', tone: 'quiet' }
  if (status !== 'Success' || !refundDue) return LABELS[status]
  return refunds.some((refund) => refund.status === 'Success')
    ? { text: 'Paid twice', tone: 'quiet' }
    : { text: 'Paid twice, we refund it', tone: 'warning' }
}

type Refunded = Pick<PaymentHistoryItem, 'total' | 'charged'>
type Refund = PaymentHistoryItem['refunds'][number]

/** How a refund stands, in plain words: with its sum, unless it is all that was paid. */
export const describeRefund = ({ total, charged }: Refunded, refund: Refund): string => {
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
