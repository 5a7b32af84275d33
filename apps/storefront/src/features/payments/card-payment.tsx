import { useCallback } from 'react'
import { browserFacts } from '#features/payments/browser-facts.ts'
import { CardFields } from '#features/payments/card-fields.tsx'
import type { CardOfForm } from '#features/payments/pay-by-card.ts'
import { PaymentForm } from '#features/payments/payment-form.tsx'
import { useCardForm } from '#features/payments/use-card-form.ts'
import { usePayment } from '#features/payments/use-payment.ts'

type CardPaymentOptions = {
  /** Pays with the card; answers the payment's id. */
  pay: (card: CardOfForm) => Promise<string>
  /** What is paid for may not be as it was shown: ask again. */
  onChanged: () => void
  onReject: () => void
  removePromocode?: (() => Promise<void>) | undefined
}

/** Held by whoever must keep what was typed while the form itself is out of sight. */
export const useCardPayment = ({ pay, onChanged, ...rest }: CardPaymentOptions) => {
  const form = useCardForm()
  const { reset } = form.form
  const onReturn = useCallback(() => {
    reset({ pan: '', card_holder: '', month: '', year: '', cvv: '' })
    onChanged()
  }, [reset, onChanged])
  const payment = usePayment({
    form,
    pay: (values: CardOfForm, instead) => pay({ ...values, browser: browserFacts(), instead }),
    onChanged,
    onReturn,
    ...rest,
  })
  return { form, payment }
}

type CardPaymentFormProps = ReturnType<typeof useCardPayment> & { sum: string }

export const CardPaymentForm = ({ form, payment, sum }: CardPaymentFormProps) => (
  <PaymentForm payment={payment} isValid={form.isValid} terms={form.field('acceptTerms')} sum={sum}>
    <CardFields {...form} />
    <p className="text-sm text-quiet-ink">We never store your full card number or the security code.</p>
  </PaymentForm>
)

/** The card form alone, where it is the only way to pay. */
export const CardPayment = ({ sum, ...options }: CardPaymentOptions & { sum: string }) => (
  <CardPaymentForm {...useCardPayment(options)} sum={sum} />
)
