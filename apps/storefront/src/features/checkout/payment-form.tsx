import { Button } from '@hedgerow/ui/button.tsx'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { PaymentNotice } from '#features/checkout/payment-notice.tsx'
import type { Payment } from '#features/checkout/use-payment.ts'
import { TermsCheckbox } from '#shared/terms-checkbox.tsx'

type PaymentFormProps = {
  payment: Payment
  isValid: boolean
  terms: Omit<ComponentProps<typeof TermsCheckbox>, 'backTo'>
  /** What is paid, as the button says it. */
  sum: string
  /** How the money comes back, where that is not by itself. */
  wayBack?: string
  children: ReactNode
}

/** What the form of every payment method has: why it was not taken, its fields, the consent, and the button with the sum. */
export const PaymentForm = ({ payment, isValid, terms, sum, wayBack, children }: PaymentFormProps) => {
  // A customer who comes back to this form has read the notice: the focus stays where they have put it.
  const [shownBefore] = useState(payment.notice)
  const [path] = useLocation()
  const search = useSearch()
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void payment.onSubmit()
      }}
      className="space-y-5"
    >
      {payment.notice && (
        <PaymentNotice
          // What is said now is another notice than what was said before: it takes the focus anew.
          key={payment.notice.kind}
          notice={payment.notice}
          takesFocus={payment.notice !== shownBefore}
          startAgain={payment.startAgain}
          removePromocode={payment.removePromocode}
          isRemoving={payment.isRemoving}
        />
      )}
      {children}
      <TermsCheckbox backTo={search ? `${path}?${search}` : path} {...terms} />
      <p className="text-sm text-quiet-ink">
        By paying you buy <span>{payment.goods}</span>, starting now. Cancel within 14 days, in your payment
        history or{' '}
        <a href="/cancel" target="_blank" rel="noopener" className="link">
          without logging in
          <span className="sr-only"> (in a new tab)</span>
        </a>
        , and pay only for the time used. <span>{wayBack}</span>
      </p>
      <Button
        type="submit"
        disabled={!isValid || payment.isRemoving}
        busy={payment.isBusy}
        className="w-full text-lg"
      >
        {`Pay ${sum}`}
      </Button>
    </form>
  )
}
