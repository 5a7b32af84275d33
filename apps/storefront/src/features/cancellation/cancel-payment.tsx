import { ApiError } from '@hedgerow/contract/client'
import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { CancelForm } from '#features/cancellation/cancel-form.tsx'
import { cancellationQuery } from '#features/cancellation/cancellation-query.ts'
import { Cancelled } from '#features/cancellation/cancelled.tsx'
import { describePaid } from '#features/cancellation/describe-cancellation.ts'
import { useFreshLists } from '#features/cancellation/use-fresh-lists.ts'

const CONFLICT = 409

/** The reason is the server's to know: it is too late, or nothing was paid. */
const isRefused = (error: Error | null) => error instanceof ApiError && error.status === CONFLICT

/** Why it cannot be. What lists it as one that can is out of date. */
const Refused = ({ reason }: { reason: string }) => {
  useFreshLists()
  return (
    <>
      <FormNotice kind="info" title="This purchase cannot be cancelled">
        {reason}
      </FormNotice>
      <p>
        If something is wrong with it, tell us. Your other rights do not end with the 14 days.{' '}
        <Link to="/support" className="link">
          Write to us
        </Link>
      </p>
    </>
  )
}

type NotLoadedProps = { error: Error; isFetching: boolean; retry: () => void }

const NotLoaded = ({ error, isFetching, retry }: NotLoadedProps) => (
  <FormNotice title="The refund could not be worked out">
    <p>{messageOf(error)}</p>
    <Button variant="outline" className="mt-3" busy={isFetching} onClick={retry}>
      Try again
    </Button>
  </FormNotice>
)

type CancelPaymentProps = {
  paymentId: string
  /** What is known of it, once that has loaded. */
  payment: PaymentHistoryItem | undefined
  onClose: () => void
}

/** What cancelling a payment would give back and end, and the button that does it; or why it cannot be. */
export const CancelPayment = ({ paymentId, payment, onClose }: CancelPaymentProps) => {
  const { data, error, isFetching, refetch } = useQuery(cancellationQuery(paymentId))
  const notOffered = () => {
    if (error && isRefused(error)) return <Refused reason={error.message} />
    if (error) return <NotLoaded error={error} isFetching={isFetching} retry={() => void refetch()} />
    return <Skeleton label="Working out what you get back" lines={5} />
  }
  const shown = () => {
    if (data?.cancelledAt !== undefined)
      return <Cancelled cancellation={data} cancelledAt={data.cancelledAt} onClose={onClose} />
    if (data && !isRefused(error))
      return <CancelForm paymentId={paymentId} cancellation={data} onClose={onClose} />
    return (
      <>
        {notOffered()}
        <div className="flex justify-end">
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
      </>
    )
  }
  return (
    <div className="space-y-5">
      {payment && (
        <p>
          <span className="font-semibold">{payment.description}</span>
          <span className="block text-sm text-quiet-ink tabular-nums">{describePaid(payment)}</span>
        </p>
      )}
      {shown()}
    </div>
  )
}
