import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'

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
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1">
      <p className="max-w-measure text-quiet-ink">
        A purchase can be cancelled within 14 days, with the button beside it.{' '}
        <Link to="/cancel" className="link">
          How cancelling works
        </Link>
      </p>
      {past.length > 0 && (
        <Button variant="quiet" className="-ml-5 sm:ml-0" onClick={() => onCancel(past)}>
          Why is there no button?
        </Button>
      )}
    </div>
  )
}
