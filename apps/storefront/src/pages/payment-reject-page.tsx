import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { useHistoryState } from 'wouter/use-browser-location'
import type { Rejection } from '#features/payment-result/next-action.ts'

const NO_REASON = 'Your bank or the payment system did not accept the payment.'

const NEXT = {
  charged: 'Your payment history, in your profile, shows when it is back.',
  notCharged: 'You can try again with another card, or pay another way.',
  unknown: 'Not sure whether it went through? Anything you have paid for is in your profile.',
}

/** Why, and where to try again, is handed over by the page before; an address can be written by anyone. */
const PaymentRejectPage = () => {
  const { reason, again, isCharged } = useHistoryState<Rejection | null>() ?? {}
  return (
    // As high as the page before, so that the footer does not jump.
    <div className="min-h-screen">
      <NarrowPage
        title="Payment rejected"
        lead={`${reason ?? NO_REASON}${isCharged === false ? ' Nothing was charged.' : ''}`}
      >
        <p className="mb-6 text-quiet-ink">
          {isCharged === undefined ? NEXT.unknown : isCharged ? NEXT.charged : NEXT.notCharged}
        </p>
        <div className="grid gap-3">
          {again && (
            <ButtonLink to={again} state={{ reason, isCharged }}>
              Try again
            </ButtonLink>
          )}
          <ButtonLink to="/profile" variant={again ? 'outline' : 'solid'}>
            Continue
          </ButtonLink>
        </div>
      </NarrowPage>
    </div>
  )
}

export default PaymentRejectPage
