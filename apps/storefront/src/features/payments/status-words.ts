import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import type { BadgeTone } from '#ui/badge.tsx'

type Words = { text: string; tone: BadgeTone }

const UNDER_WAY: Words = { text: 'Under way', tone: 'quiet' }

/** How an attempt stands, in plain words. */
export const statusWords = ({
  status,
  refundDue,
  refunds,
  isLeft,
}: Pick<PaymentHistoryItem, 'status' | 'refundDue' | 'refunds' | 'isLeft'>): Words => {
  if (isLeft) return { text: 'Left for another try', tone: 'quiet' }
  switch (status) {
    case 'Success':
      if (!refundDue) return { text: 'Paid', tone: 'good' }
      return refunds.some((refund) => refund.status === 'Success')
        ? { text: 'Paid twice', tone: 'quiet' }
        : { text: 'Paid twice, we refund it', tone: 'warning' }
    case 'Decline':
      return { text: 'Declined, not charged', tone: 'bad' }
    case 'Error':
      return { text: 'Failed, not charged', tone: 'bad' }
    case 'awaiting 3ds result':
    case 'awaiting redirect result':
      return { text: 'Waiting for you at your bank', tone: 'warning' }
    case 'awaiting clarification':
    case 'awaiting customer action':
    case 'awaiting merchant auth':
      return { text: 'Waiting for you', tone: 'warning' }
    default:
      return UNDER_WAY
  }
}
