import type { PaymentHistoryItem } from '@hedgerow/contract/payments'

/** Paid, and without a button that cancels it. */
const isPast = ({ status, cancelledAt, cancellableUntil }: PaymentHistoryItem) =>
  status === 'Success' && !cancelledAt && !cancellableUntil

/** The list as it was read so far. */
type ReadSoFar = { data: PaymentHistoryItem[] | undefined; hasNextPage: boolean; isError: boolean }

type PastCancellingProps = {
  payments: ReadSoFar & { fetchNextPage: () => Promise<ReadSoFar> }
  /** Asks about one of these payments. */
  onCancel: (paymentIds: readonly string[]) => void
}

const pastIn = ({ data = [] }: ReadSoFar) => data.filter(isPast).map(({ _id }) => _id)

/** Where one can cancel, and why a purchase has no button for it. */
export const PastCancelling = ({ payments, onCancel }: PastCancellingProps) => {
  const lookUp = async () => {
    let read: ReadSoFar = payments
    // The older it is, the further down the list. What does not load is said below that.
    while (read.hasNextPage && !read.isError) read = await payments.fetchNextPage()
    if (!read.hasNextPage) onCancel(pastIn(read))
  }
  return (
    <p className="mt-4 text-quiet-ink">
      A purchase can be cancelled within 14 days, with the button beside it.{' '}
      <a href="/terms#cancelling" className="link">
        How cancelling works
      </a>
      {(payments.hasNextPage || pastIn(payments).length > 0) && (
        <>
          <span> · </span>
          <button type="button" className="link" onClick={() => void lookUp()}>
            Look up an older purchase
          </button>
        </>
      )}
    </p>
  )
}
