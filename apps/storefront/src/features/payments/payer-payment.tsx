import { PayerForm } from '@hedgerow/contract/payments'
import type { ReactNode } from 'react'
import type { Payer } from '#features/payments/pay-elsewhere.ts'
import { PaymentForm } from '#features/payments/payment-form.tsx'
import { usePayment } from '#features/payments/use-payment.ts'
import { checkedBy } from '#lib/checked-by.ts'
import { useCheckedForm } from '#lib/use-checked-form.ts'
import { Field } from '#ui/field.tsx'

const resolver = checkedBy(PayerForm)
const NAMES = ['firstName', 'lastName', 'email', 'acceptTerms'] as const

type PayerPaymentOptions = {
  /** What is known of the payer already. */
  known: { firstName: string; lastName: string; email?: string }
  /** Starts the payment; answers its id. */
  pay: (payer: Payer) => Promise<string>
  onChanged: () => void
  onReject: () => void
}

/** A payment that is made on another page: here only who pays is asked. */
export const usePayerPayment = ({ known, pay, onChanged, onReject }: PayerPaymentOptions) => {
  const form = useCheckedForm(resolver, NAMES, known)
  return { form, payment: usePayment({ form, pay, onChanged, onReject, onReturn: onChanged }) }
}

type PayerPaymentFormProps = ReturnType<typeof usePayerPayment> & {
  sum: string
  emailHint: string
  /** How this way of paying goes, and what it cannot do. */
  children: ReactNode
}

export const PayerPaymentForm = ({ form, payment, sum, emailHint, children }: PayerPaymentFormProps) => (
  <PaymentForm payment={payment} isValid={form.isValid} terms={form.field('acceptTerms')} sum={sum}>
    <div className="space-y-2">{children}</div>
    <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-4">
      <Field label="First name" autoComplete="given-name" maxLength={100} {...form.field('firstName')} />
      <Field label="Last name" autoComplete="family-name" maxLength={100} {...form.field('lastName')} />
      <Field
        label="Email (optional)"
        hint={emailHint}
        type="email"
        autoComplete="email"
        className="sm:col-span-2"
        {...form.field('email')}
      />
    </div>
  </PaymentForm>
)
