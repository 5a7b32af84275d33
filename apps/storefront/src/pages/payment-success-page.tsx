import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { lazy, Suspense } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'
import type { Paid as PaidPayment } from '#shared/purchase-queries.ts'
import { useSession } from '#shared/session.tsx'

/** Only the customer who has paid sees it. */
const Paid = lazy(() => import('#pages/paid.tsx'))

/** Which payment it was is handed over by the page before, and stays over a reload; anyone else reads the words alone. */
const PaymentSuccessPage = () => {
  const paymentId = useHistoryState<PaidPayment | null>()?.paymentId
  const { state } = useSession()
  const isTold = paymentId !== undefined && state === 'in'
  return (
    // As high before it is known whose page it is, so that the footer stays below the fold.
    <div className="mx-auto min-h-screen max-w-200">
      <PageHeader
        title="Payment is successful!"
        lead={isTold ? undefined : 'Your connections are in your profile, each with a QR code to scan.'}
        className="mb-6"
      />
      {isTold ? (
        <Suspense fallback={<Skeleton label="Loading what you bought" lines={8} />}>
          <Paid paymentId={paymentId} />
        </Suspense>
      ) : (
        <ButtonLink to="/profile" className="w-full sm:w-auto">
          Continue
        </ButtonLink>
      )}
    </div>
  )
}

export default PaymentSuccessPage
