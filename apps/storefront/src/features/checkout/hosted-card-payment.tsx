import { HostedCardForm } from '@hedgerow/contract/hosted-card'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import type { ReactNode } from 'react'
import { PaymentForm } from '#features/checkout/payment-form.tsx'
import { type CheckoutCallbacks, usePayment } from '#features/checkout/use-payment.ts'

const resolver = checkedBy(HostedCardForm)
const NAMES = ['acceptTerms'] as const

type HostedCardPaymentProps = CheckoutCallbacks & {
  sum: string
  /** Starts the payment; returns its id. `instead` is the attempt that is left for this one. */
  pay: (details: { acceptTerms: true; instead?: string | undefined }) => Promise<string>
  /** What happens there; without it, that the card is typed. */
  children?: ReactNode
  wayBack?: string
}

/** Paying on a page of the payment system, by a card or otherwise: here only the terms are accepted. */
export const HostedCardPayment = ({
  sum,
  pay,
  onChanged,
  children,
  wayBack,
  ...rest
}: HostedCardPaymentProps) => {
  const form = useCheckedForm(resolver, NAMES)
  const payment = usePayment({
    form,
    pay: (_, instead) => pay({ acceptTerms: true, instead }),
    onChanged,
    onReturn: onChanged,
    ...rest,
  })
  return (
    <PaymentForm
      payment={payment}
      isValid={form.isValid}
      terms={form.field('acceptTerms')}
      sum={sum}
      {...(wayBack ? { wayBack } : {})}
    >
      {children ?? (
        <div className="space-y-2">
          <p>You enter your card details on our payment company’s secure page, then come back here.</p>
          <p className="text-quiet-ink">We never see your card number or the security code.</p>
        </div>
      )}
    </PaymentForm>
  )
}
