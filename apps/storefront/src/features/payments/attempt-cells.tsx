import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatDate } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'
import { DiscountLine } from '#features/payments/discount-line.tsx'
import { refundWords } from '#features/payments/refund-words.ts'
import { statusWords } from '#features/payments/status-words.ts'
import { Badge } from '#ui/badge.tsx'

/** What was to be paid, what was paid in its place, and what a promocode took off before. */
export const AttemptAmount = ({ total, currency, charged, promocode, discount }: PaymentHistoryItem) => (
  <>
    {formatCharged(toMinor(total) ?? 0, currency.code)}
    {charged && (
      <span className="block text-sm whitespace-nowrap text-quiet-ink">
        {formatCharged(toMinor(charged.total) ?? 0, charged.currency)}
      </span>
    )}
    <DiscountLine promocode={promocode} discount={discount} currency={currency} />
  </>
)

/** How the attempt stands, why it was declined, and what was given back. */
export const AttemptStatus = (item: PaymentHistoryItem) => {
  const { text, tone } = statusWords(item)
  const { reason, refunds } = item
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {reason && <span className="mt-1 block max-w-64 text-sm text-quiet-ink max-lg:ml-auto">{reason}</span>}
      {refunds.map((refund) => (
        <span key={refund.createdAt} className="mt-1 block text-sm text-quiet-ink">
          {refundWords(item, refund)}, {formatDate(new Date(refund.endedAt ?? refund.createdAt))}
        </span>
      ))}
    </>
  )
}
