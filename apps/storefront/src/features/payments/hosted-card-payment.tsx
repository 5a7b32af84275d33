import { HostedCardForm } from '@hedgerow/contract/hosted-card'
import type { PlanCode } from '#features/payments/pay-by-card.ts'
import type { PayableOrder } from '#features/payments/payable-order.ts'
import { PaymentForm } from '#features/payments/payment-form.tsx'
import { usePayment } from '#features/payments/use-payment.ts'
import { api } from '#lib/api.ts'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'

const resolver = checkedBy(HostedCardForm)
const NAMES = ['acceptTerms'] as const

const terms = { acceptTerms: true } as const

/** Both answer the payment's id. `instead` is the attempt that is left for this one. */
export const payOnPage = async (
  { orderId, total, currency }: PayableOrder,
  instead?: string,
): Promise<string> => {
  const body = { total, currency: currency.code, ...terms, instead }
  return (await api.call('payByHostedCard', { params: { id: orderId }, body })).paymentId
}

export const payPlanOnPage = async (id: string, instead?: string, code?: PlanCode): Promise<string> =>
  (await api.call('payPlanByHostedCard', { body: { id, ...terms, instead, ...code } }))._id

type HostedCardPaymentProps = {
  sum: string
  /** Starts the payment; answers its id. */
  pay: (instead?: string) => Promise<string>
  /** What is paid for may not be as it was shown: ask again. */
  onChanged: () => void
  onReject: () => void
  removePromocode?: (() => Promise<void>) | undefined
}

/** Paying by a card that is typed on the payment company's page: here only the terms are accepted. */
export const HostedCardPayment = ({ sum, pay, onChanged, ...rest }: HostedCardPaymentProps) => {
  const form = useCheckedForm(resolver, NAMES)
  const payment = usePayment({
    form,
    pay: (_, instead) => pay(instead),
    onChanged,
    onReturn: onChanged,
    ...rest,
  })
  return (
    <PaymentForm payment={payment} isValid={form.isValid} terms={form.field('acceptTerms')} sum={sum}>
      <div className="space-y-2">
        <p>You enter your card on the secure page of our payment company, then come back here.</p>
        <p className="text-quiet-ink">We never see your card number or the security code.</p>
      </div>
    </PaymentForm>
  )
}
