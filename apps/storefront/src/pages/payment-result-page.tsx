import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { ProgressLine } from '@hedgerow/ui/spinner.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { endPurchase } from '#features/checkout/purchases.ts'
import type { ClarificationAnswers } from '#features/payment-result/clarification-fields.ts'
import type { FollowedAction } from '#features/payment-result/follow-payment.ts'
import { PromisedPayment } from '#features/payment-result/promised-payment.tsx'
import { useNextAction } from '#features/payment-result/use-next-action.ts'
import { WaitingForBank } from '#features/payment-result/waiting-for-bank.tsx'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { ORDERS_KEY, type Paid, paymentListQuery } from '#shared/purchase-queries.ts'

/** Few payments have a question, so what it takes to answer comes when it is needed. */
const PaymentQuestion = lazy(() =>
  import('#features/payment-result/payment-question.tsx').then((m) => ({ default: m.PaymentQuestion })),
)

const SLOW_AFTER_MS = 20_000

const useIsSlow = () => {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}

const Unknown = () => (
  <NarrowPage title="We could not find this payment">
    <p className="mb-6">
      The address may be incomplete. Anything you have paid for is in your profile. Look there before you pay
      again.
    </p>
    <ButtonLink to="/profile" className="w-full">
      Go to your profile
    </ButtonLink>
  </NarrowPage>
)

const Waiting = ({ action }: { action: FollowedAction }) => {
  if (action.kind === 'redirect')
    return (
      <WaitingForBank
        form={action.form}
        isCrypto={action.isCrypto === true}
        isPart={action.isPart === true}
      />
    )
  if (action.kind === 'promised') return <PromisedPayment again={action.again} isCrypto={action.isCrypto} />
  return <ProgressLine label="We are waiting for your bank. Please keep this page open." />
}

const PaymentResultPage = () => {
  const { paymentId = '' } = useParams()
  const [, navigate] = useLocation()
  const hasReturned = new URLSearchParams(useSearch()).has('returned')
  const queryClient = useQueryClient()
  const [given, setGiven] = useState<ClarificationAnswers>({})
  const isSlow = useIsSlow()

  const { action, key, resume } = useNextAction({
    paymentId,
    hasReturned,
    onOutcome: (outcome) => {
      void queryClient.invalidateQueries({ queryKey: ORDERS_KEY })
      void queryClient.invalidateQueries({ queryKey: paymentListQuery.queryKey })
      void queryClient.invalidateQueries({ queryKey: PROFILE_KEY })
      if (outcome.kind === 'success') endPurchase(paymentId)
      // Replaced, so that going back does not lead through the waiting again.
      if (outcome.kind === 'success')
        navigate('/payment/success', { replace: true, state: { paymentId } satisfies Paid })
      else navigate('/payment/reject', { replace: true, state: outcome.rejection })
    },
  })

  if (action.kind === 'unknown') return <Unknown />
  const waiting = (
    // As high as the pages that follow, so that the footer does not jump.
    <div className="mx-auto min-h-screen max-w-form py-8 text-center">
      <PageHeader title="Processing..." className="mb-4" />
      <Waiting action={action} />
      {isSlow && action.kind !== 'promised' && (
        <Notice kind="info" className="mt-8 text-left">
          This is taking longer than usual. You can close this page. When the payment goes through, your
          connections will be in your profile.
        </Notice>
      )}
    </div>
  )
  if (action.kind !== 'clarify' && action.kind !== 'approve' && action.kind !== 'authorise') return waiting
  return (
    <Suspense fallback={waiting}>
      <PaymentQuestion
        paymentId={paymentId}
        question={action}
        questionKey={key}
        given={given}
        onAnswered={(answers) => {
          setGiven((before) => ({ ...before, ...answers }))
          resume()
        }}
      />
    </Suspense>
  )
}

export default PaymentResultPage
