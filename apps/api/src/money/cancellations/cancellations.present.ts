import type { Cancellation } from '@hedgerow/contract/cancellations'
import { cancellableUntil } from '@hedgerow/domain/cancellations'
import { toMajor } from '@hedgerow/domain/money'
import { isRefundedByHand } from '@hedgerow/domain/payment-methods'
import type { PaymentToCancel } from '#money/cancellations/cancellations.queries.ts'
import type { Terms } from '#money/cancellations/judge-cancellation.ts'

type Ending = { id: string; name: string; end: Date }

const presentEnds = (ends: readonly Ending[], now: Date): Cancellation['connections'] =>
  ends.map(({ id, name, end }) => ({
    _id: id,
    name,
    endsAt: end.toISOString(),
    endsAtOnce: end <= now,
  }))

export const presentPreview = (
  row: PaymentToCancel,
  { until, refundMinor }: Terms,
  ends: readonly Ending[],
): Omit<Cancellation, 'asksPassword'> => ({
  refund: toMajor(refundMinor),
  currency: row.charged_currency,
  until: until.toISOString(),
  isByHand: isRefundedByHand(row.method),
  ...(row.method === 'crypto' ? { isCrypto: true as const } : {}),
  connections: presentEnds(ends, row.now),
})

/** Once it is done. Connections that had ended before are left out. */
export const presentCancelled = (
  row: PaymentToCancel,
  bought: readonly { id: string; name: string; expires_at: Date | null }[],
): Cancellation => {
  const { cancelled_at, cancelled_minor, ended_at } = row
  const at = cancelled_at ?? row.now
  const ends = bought.flatMap(({ id, name, expires_at: end }) =>
    end && end >= at ? [{ id, name, end }] : [],
  )
  const terms = { until: cancellableUntil(ended_at ?? at), refundMinor: cancelled_minor ?? 0 }
  return {
    ...presentPreview(row, terms, ends),
    cancelledAt: at.toISOString(),
    asksPassword: false,
  }
}
