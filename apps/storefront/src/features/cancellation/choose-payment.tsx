import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useEffect, useRef } from 'react'
import { describePaid } from '#features/cancellation/describe-cancellation.ts'

type ChoosePaymentProps = {
  payments: {
    data: readonly PaymentHistoryItem[] | undefined
    error: Error | null
    isFetching: boolean
    /** There are more to come. */
    isReading: boolean
    refetch: () => unknown
  }
  /** Those among which to choose. */
  paymentIds: readonly string[]
  onChoose: (paymentId: string) => void
  onClose: () => void
}

/** Which of several payments is meant, each by what it was for, its time and its sum. */
export const ChoosePayment = ({ payments, paymentIds, onChoose, onClose }: ChoosePaymentProps) => {
  const { data, error, isFetching, isReading, refetch } = payments
  const question = useRef<HTMLParagraphElement>(null)
  useEffect(() => question.current?.focus(), [])
  return (
    <div className="space-y-4">
      <p ref={question} tabIndex={-1} className="outline-none">
        Which purchase do you mean?
      </p>
      {isReading && <Skeleton label="Loading your purchases" />}
      {error && (
        <Notice kind="problem" title="Your purchases did not load">
          <p>{messageOf(error)}</p>
          <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      <ul className="space-y-3">
        {data
          ?.filter(({ _id }) => paymentIds.includes(_id))
          .map((payment) => (
            <li key={payment._id} className="grid">
              <Button variant="outline" onClick={() => onChoose(payment._id)}>
                <span>
                  {payment.description}
                  <span className="block text-sm font-normal text-quiet-ink tabular-nums">
                    {describePaid(payment)}
                  </span>
                </span>
              </Button>
            </li>
          ))}
      </ul>
      <div className="flex justify-end">
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}
