import type { Cancellation } from '@hedgerow/contract/cancellations'
import { describeWayBack } from '@hedgerow/domain/cancellations'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { refundOf } from '#features/cancellation/describe-cancellation.ts'
import { useFreshLists } from '#features/cancellation/use-fresh-lists.ts'
import { WhatEnds } from '#features/cancellation/what-ends.tsx'

type CancelledProps = { cancellation: Cancellation; cancelledAt: string; onClose: () => void }

/** What comes next, once it is cancelled. */
export const Cancelled = ({ cancellation, cancelledAt, onClose }: CancelledProps) => {
  useFreshLists()
  return (
    <>
      <FormNotice kind="done" title={`Cancelled on ${formatLocalTime(new Date(cancelledAt))}`}>
        We have sent you an email to confirm it.
      </FormNotice>
      {cancellation.refund > 0 && (
        <p>
          You get <strong className="tabular-nums">{refundOf(cancellation)}</strong> back.{' '}
          <span>{describeWayBack(cancellation)}</span>
        </p>
      )}
      <WhatEnds connections={cancellation.connections} isDone />
      <div className="flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  )
}
