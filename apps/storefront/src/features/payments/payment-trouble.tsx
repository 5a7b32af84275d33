import { Link } from 'wouter'
import { resultAddress } from '#features/payments/result-address.ts'
import type { Trouble } from '#features/payments/use-payment.ts'
import { Button } from '#ui/button.tsx'
import { buttonLook } from '#ui/button-look.ts'
import { FormNotice } from '#ui/form-notice.tsx'

type PaymentTroubleProps = {
  trouble: Trouble
  takesFocus: boolean
  /** Pays anew, and leaves the attempt that is under way. */
  startAgain: (paymentId: string) => void
  payWithoutPromocode: (() => void) | undefined
}

/** A plain link: the page of a result is a document of its own. */
const ResultLink = ({ paymentId, children }: { paymentId: string; children: string }) => (
  <a href={resultAddress(paymentId)} className={buttonLook('outline')}>
    {children}
  </a>
)

export const PaymentTrouble = (props: PaymentTroubleProps) => {
  const { trouble, takesFocus, startAgain, payWithoutPromocode } = props
  switch (trouble.kind) {
    case 'lost':
      return (
        <FormNotice takesFocus={takesFocus} title="We do not know whether the payment started">
          The connection broke. Check your{' '}
          <Link to="/profile?tab=history" className="link">
            payments
          </Link>{' '}
          before you pay again.
        </FormNotice>
      )
    case 'under-way':
      return (
        <FormNotice takesFocus={takesFocus} kind="warning" title="You have begun to pay this already">
          <p>
            Go on with that payment, or leave it and pay with what you have entered here. You pay only once,
            whatever comes of the first.
          </p>
          <div className="mt-3 grid gap-3 sm:flex sm:flex-wrap">
            <ResultLink paymentId={trouble.paymentId}>Go on with that payment</ResultLink>
            <Button variant="outline" onClick={() => startAgain(trouble.paymentId)}>
              Start again
            </Button>
          </div>
        </FormNotice>
      )
    case 'at-work':
      return (
        <FormNotice takesFocus={takesFocus} kind="warning" title="Your bank is working on that payment">
          <p>It cannot be left at the moment. It ends by itself; if it is declined, you can pay again.</p>
          <div className="mt-3">
            <ResultLink paymentId={trouble.paymentId}>See how it stands</ResultLink>
          </div>
        </FormNotice>
      )
    case 'promocode':
      return (
        <FormNotice takesFocus={takesFocus} title={trouble.message}>
          <p>What you have entered here is kept.</p>
          {payWithoutPromocode && (
            <Button variant="outline" className="mt-3" onClick={payWithoutPromocode}>
              Remove the promocode
            </Button>
          )}
        </FormNotice>
      )
    case 'promocode-removed':
      return (
        <FormNotice takesFocus={takesFocus} kind="info" title="The promocode is removed">
          The total is the full price again. You can pay now.
        </FormNotice>
      )
    default:
      return (
        <FormNotice
          takesFocus={takesFocus}
          kind={trouble.kind === 'closed' ? 'warning' : 'problem'}
          title={trouble.message}
        />
      )
  }
}
