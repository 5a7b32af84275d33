import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import type { PaymentNotice as Notice } from '#features/checkout/use-payment.ts'
import { PaymentResultLink } from '#shared/payment-result-link.tsx'

const LINK = buttonLook('outline')

type PaymentNoticeProps = {
  notice: Notice
  takesFocus: boolean
  /** Pays anew, and leaves the attempt that is under way. */
  startAgain: (paymentId: string) => void
  /** Undefined where there is none to remove. */
  removePromocode: (() => void) | undefined
  isRemoving: boolean
}

/** Why a payment was not taken, and what to do about it. */
export const PaymentNotice = (props: PaymentNoticeProps) => {
  const { notice, takesFocus, startAgain, removePromocode, isRemoving } = props
  switch (notice.kind) {
    case 'lost':
      return (
        <FormNotice takesFocus={takesFocus} title="The connection was lost">
          <p>Press Pay again. You will be charged only once. What you have entered is still here.</p>
          {notice.reference && <p className="mt-2 text-sm">{notice.reference}</p>}
        </FormNotice>
      )
    case 'under-way':
      return (
        <FormNotice takesFocus={takesFocus} kind="warning" title="You have already started to pay for this">
          <p>
            Continue with that payment, or drop it and pay with what you have entered here. You pay only once,
            whatever happens to the first.
          </p>
          <div className="mt-3 grid gap-3 sm:flex sm:flex-wrap">
            <PaymentResultLink paymentId={notice.paymentId} className={LINK}>
              Continue with that payment
            </PaymentResultLink>
            <Button variant="outline" onClick={() => startAgain(notice.paymentId)}>
              Start again
            </Button>
          </div>
        </FormNotice>
      )
    case 'at-work':
      return (
        <FormNotice takesFocus={takesFocus} kind="warning" title="Your bank is working on that payment">
          <p>
            You cannot drop it at the moment. It will end by itself. If it is declined, you can pay again.
          </p>
          <div className="mt-3">
            <PaymentResultLink paymentId={notice.paymentId} className={LINK}>
              See its status
            </PaymentResultLink>
          </div>
        </FormNotice>
      )
    case 'promocode':
    case 'promocode-kept': {
      const isKept = notice.kind === 'promocode-kept'
      return (
        <FormNotice takesFocus={takesFocus} title={isKept ? 'The promocode was not removed' : notice.message}>
          <p>
            <span>{isKept && `${notice.message} `}</span>What you have entered is still here.
          </p>
          {removePromocode && (
            <Button variant="outline" className="mt-3" busy={isRemoving} onClick={removePromocode}>
              Remove the promocode
            </Button>
          )}
        </FormNotice>
      )
    }
    case 'promocode-held':
      return (
        <FormNotice
          takesFocus={takesFocus}
          kind="warning"
          title="A payment for this order is under way, with the promocode"
        >
          <p>Continue with that payment, or end it there and then change the code.</p>
          {notice.paymentId && (
            <div className="mt-3">
              <PaymentResultLink paymentId={notice.paymentId} className={LINK}>
                Continue with that payment
              </PaymentResultLink>
            </div>
          )}
        </FormNotice>
      )
    case 'promocode-removed':
      return (
        <FormNotice takesFocus={takesFocus} kind="info" title="The promocode is removed">
          The total is the full price again. You can pay now.
        </FormNotice>
      )
    case 'paused':
      return (
        <FormNotice takesFocus={takesFocus} title={notice.message}>
          <span>
            {notice.until && `The pause ends on ${formatLocalTime(new Date(notice.until))}, your time. `}
          </span>
          What you have entered is still here.
        </FormNotice>
      )
    case 'closed':
    case 'refused':
      return (
        <FormNotice
          takesFocus={takesFocus}
          kind={notice.kind === 'closed' ? 'warning' : 'problem'}
          title={notice.message}
        />
      )
  }
}
