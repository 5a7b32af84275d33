import type { PaymentHistoryItem } from '@hedgerow/contract/payments'

/** Paid, and without a button that cancels it. */
const isPast = ({ status, cancelledAt, cancellableUntil }: PaymentHistoryItem) =>
  status === 'Success' && !cancelledAt && !cancellableUntil

type PastCancellingProps = {
  payments: readonly PaymentHistoryItem[]
  /** Asks about one of these payments. */
  onCancel: (paymentIds: readonly string[]) => void
}

/** Where one can cancel, and why a purchase has no button for it. */
export const PastCancelling = ({ payments, onCancel }: PastCancellingProps) => {
  const past = payments.filter(isPast).map(({ _id }) => _id)
  return (
    <p className="mt-4 text-quiet-ink">
      A purchase can be cancelled within 14 days, with the button beside it.{' '}
      <a href="/terms#cancelling" className="link">
        How cancelling works
      </a>
      {past.length > 0 && (
        <>
          {' · '}
          <button type="button" className="link" onClick={() => onCancel(past)}>
            Look up an older purchase
          </button>
        </>
      )}
    </p>
  )
}
