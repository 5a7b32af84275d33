import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import type { BadgeTone } from '#ui/badge.tsx'

type Words = { text: string; tone: BadgeTone }

const UNDER_WAY: Words = { text: 'Under way', tone: 'quiet' }

/** How an attempt stands, in plain words. */
export const statusWords = ({
  status,
  refundDue,
}: Pick<PaymentHistoryItem, 'status' | 'refundDue'>): Words => {
  switch (status) {
    case 'Success':
      return refundDue
        ? { text: 'Paid twice, we refund it', tone: 'warning' }
        : { text: 'Paid', tone: 'good' }
    case 'Decline':
      return { text: 'Declined, not charged', tone: 'bad' }
    case 'Error':
      return { text: 'Failed, not charged', tone: 'bad' }
    case 'awaiting 3ds result':
    case 'awaiting redirect result':
      return { text: 'Waiting for you at your bank', tone: 'warning' }
    default:
      return UNDER_WAY
  }
}
