import { useCallback } from 'react'
import { CardFields, useCardForm } from '#features/checkout/card-fields.tsx'
import { keepHolder, readHolder } from '#features/checkout/holder-draft.ts'
import type { CardDetails } from '#features/checkout/pay.ts'
import { PaymentForm } from '#features/checkout/payment-form.tsx'
import { type CheckoutCallbacks, usePayment } from '#features/checkout/use-payment.ts'
import { useSession } from '#shared/session.tsx'

const MOST_COLOURS = 48

/** What the issuer's 3-D Secure wants to know of the browser. What is odd is left out: it must not stop a payment. */
const browserDetails = (): CardDetails['browser'] => {
  const { width, height, colorDepth } = window.screen
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    language: navigator.language.slice(0, 35),
    screen_res: `${Math.round(width)}x${Math.round(height)}`,
    ...(Number.isInteger(colorDepth) && colorDepth > 0 && colorDepth <= MOST_COLOURS
      ? { color_depth: colorDepth }
      : {}),
    timezone_offset: String(Math.round(new Date().getTimezoneOffset())),
    ...(/^[\w+\-/]{1,64}$/.test(zone ?? '') ? { timezone_name: zone } : {}),
    java_enabled: false,
  }
}

type CardPaymentOptions = CheckoutCallbacks & {
  /** Pays with the card; returns the payment's id. */
  pay: (card: CardDetails) => Promise<string>
}

/** A hook of its own, because the tabs keep what was typed while the form itself is out of sight. */
export const useCardPayment = ({ pay, onChanged, ...rest }: CardPaymentOptions) => {
  const accountId = useSession().profile?._id ?? ''
  const form = useCardForm(readHolder(accountId))
  const { reset } = form.form
  const onReturn = useCallback(() => {
    reset({ pan: '', card_holder: readHolder(accountId), month: '', year: '', cvv: '' })
    onChanged()
  }, [reset, onChanged, accountId])
  const payment = usePayment({
    form,
    pay: (values: CardDetails, instead) => {
      keepHolder(accountId, values.card_holder)
      return pay({ ...values, browser: browserDetails(), instead })
    },
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

/** The card form alone, where nothing else can be paid with. */
export const CardPayment = ({ sum, ...options }: CardPaymentOptions & { sum: string }) => (
  <CardPaymentForm {...useCardPayment(options)} sum={sum} />
)
