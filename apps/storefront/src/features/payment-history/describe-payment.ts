import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { chargedToMinor, formatCharged } from '@hedgerow/domain/exchange'
import { type PaymentStatus, PROMISE_DAYS } from '@hedgerow/domain/payment-status'
import type { BadgeTone } from '@hedgerow/ui/badge.tsx'

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

/** Bitcoin has no bank, and is not declined. */
const CRYPTO_LABELS: Partial<typeof LABELS> = {
  'awaiting redirect result': { text: 'Waiting for your bitcoin', tone: 'warning' },
  Decline: { text: 'Not paid in time', tone: 'quiet' },
}

const NOT_THE_SUM: StatusLabel = { text: 'Wrong amount', tone: 'quiet' }

type StatusFacts = Pick<
  PaymentHistoryItem,
  | 'method'
  | 'status'
  | 'refundDue'
  | 'refunds'
  | 'isLeft'
  | 'isPromised'
  | 'isCharged'
  | 'cancelledAt'
  | 'disputed'
>

/** What there is to know besides. */
export const describeWait = ({
  isPromised,
  disputed,
  method,
}: Pick<PaymentHistoryItem, 'isPromised' | 'disputed' | 'method'>): string | undefined => {
  if (disputed)
    return `Your bank has asked us for ${formatCharged(chargedToMinor(disputed.total, disputed.currency), disputed.currency)} back, and decides about it. Until then we cannot refund it.`
  return isPromised && (method === 'crypto' ? CONFIRMING : PROMISED)
}

const CONFIRMING =
  'The Bitcoin network has to confirm it, which usually takes from ten minutes to an hour. Your connections then appear by themselves.'

const PROMISED = `It may take up to ${PROMISE_DAYS} days to arrive. Your connections then appear by themselves. You can pay another way meanwhile. If both arrive, we refund one.`

/** How a payment stands, in plain words. */
export const describeStatus = ({
  status,
  refundDue,
  refunds,
  isLeft,
  cancelledAt,
  isPromised,
  isCharged,
  disputed,
  method,
}: StatusFacts): StatusLabel => {
  if (disputed) return { text: 'Disputed', tone: 'warning' }
  if (cancelledAt) return { text: `Cancelled on ${formatLocalDay(new Date(cancelledAt))}`, tone: 'quiet' }
  if (isLeft) return { text: 'Replaced by another attempt', tone: 'quiet' }
  if (isPromised)
    return { text: method === 'crypto' ? 'Being confirmed' : 'Promised by your bank', tone: 'quiet' }
  const isBack = refunds.some((refund) => refund.status === 'Success' && !refund.reversedAt)
  if (isCharged) return isBack ? NOT_THE_SUM : { text: 'Wrong amount, on its way back', tone: 'warning' }
  if (status !== 'Success' || !refundDue)
    return (method === 'crypto' ? CRYPTO_LABELS[status] : undefined) ?? LABELS[status]
  return isBack
    ? { text: 'Paid twice', tone: 'quiet' }
    : { text: 'Paid twice, we refund it', tone: 'warning' }
}

type Refunded = Pick<PaymentHistoryItem, 'total' | 'charged' | 'received'>
type Refund = PaymentHistoryItem['refunds'][number]

/** How a refund stands, in plain words: with its sum, unless it is all that was paid, and its day. */
export const describeRefund = ({ total, charged, received }: Refunded, refund: Refund): string => {
  const isAll = refund.total === ((received ?? charged)?.total ?? total)
  const sum = formatCharged(chargedToMinor(refund.total, refund.currency), refund.currency)
  const day = formatLocalDay(new Date(refund.endedAt ?? refund.createdAt))
  if (refund.reversedAt)
    return `${isAll ? 'Taken' : `${sum} taken`} back by your bank, ${day}, and returned to us, ${formatLocalDay(new Date(refund.reversedAt))}`
  if (refund.isDispute) return `${isAll ? 'Taken' : `${sum} taken`} back by your bank, ${day}`
  switch (refund.status) {
    case 'Success':
      return `${isAll ? 'Refunded' : `Partly refunded ${sum}`}, ${day}`
    case 'Pending':
      if (refund.claimUrl)
        return `${isAll ? 'Refund waiting for you' : `Refund of ${sum} waiting for you`}, ${day}. Say which wallet it should go to.`
      return `${isAll ? 'Refund on its way' : `Refund on its way ${sum}`}, ${day}`
    case 'Decline':
      return `Refund of ${sum} did not go through on ${day}. We are looking into it.`
  }
}

type Correction = NonNullable<PaymentHistoryItem['corrections']>[number]

export const describeCorrection = ({ createdAt, isRestored }: Correction): string =>
  `${isRestored ? 'New invoice' : 'Invoice corrected'}, ${formatLocalDay(new Date(createdAt))}`
