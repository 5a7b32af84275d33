import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { PROFILE_KEY } from '#app/session.tsx'
import type { PaymentOutcome } from '#features/payments/follow-payment.ts'
import { sendForm } from '#features/payments/send-form.ts'
import { usePaymentOutcome } from '#features/payments/use-payment-outcome.ts'
import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/narrow-page.tsx'
import { Notice } from '#ui/notice.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ProgressLine } from '#ui/spinner.tsx'

const SLOW_AFTER_MS = 20_000

const useIsSlow = () => {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}

export const PaymentResultPage = () => {
  const { paymentId = '' } = useParams()
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const [isUnknown, setIsUnknown] = useState(false)
  const isSlow = useIsSlow()

  usePaymentOutcome(paymentId, (outcome: PaymentOutcome) => {
    if (outcome.kind === 'send') return sendForm(outcome.form)
    if (outcome.kind === 'unknown') return setIsUnknown(true)
    void queryClient.invalidateQueries({ queryKey: ['orders'] })
    void queryClient.invalidateQueries({ queryKey: ['payments'] })
    void queryClient.invalidateQueries({ queryKey: PROFILE_KEY })
    // Replaced, so that going back does not lead through the waiting again.
    navigate(outcome.kind === 'success' ? '/payment/success' : '/payment/reject', { replace: true })
  })

  if (isUnknown) {
    return (
      <NarrowPage title="We do not know this payment">
        <p className="mb-6">
          The address may be incomplete. What you have paid for is in your profile; look there before you pay
          again.
        </p>
        <ButtonLink to="/profile" className="w-full">
          Go to your profile
        </ButtonLink>
      </NarrowPage>
    )
  }
  return (
    <div className="mx-auto max-w-form py-8 text-center">
      <PageHeader title="Processing..." className="mb-4" />
      <ProgressLine label="We are waiting for your bank. Please keep this page open." />
      {isSlow && (
        <Notice kind="info" className="mt-8 text-left">
          This takes longer than usual. You can close this page: when the payment is through, your connections
          are in your profile.
        </Notice>
      )}
    </div>
  )
}
