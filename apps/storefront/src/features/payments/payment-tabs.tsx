import type { Profile } from '@hedgerow/contract/accounts'
import { METHOD_NAMES, PAYMENT_METHODS, type PaymentMethod } from '@hedgerow/domain/payment-methods'
import { useState } from 'react'
import { CardChoice } from '#features/payments/card-choice.tsx'
import { CardPaymentForm, useCardPayment } from '#features/payments/card-payment.tsx'
import { HostedCardPayment, payOnPage } from '#features/payments/hosted-card-payment.tsx'
import { payByCard } from '#features/payments/pay-by-card.ts'
import { payElsewhere } from '#features/payments/pay-elsewhere.ts'
import type { PayableOrder } from '#features/payments/payable-order.ts'
import { PayerPaymentForm, usePayerPayment } from '#features/payments/payer-payment.tsx'
import { Tabs } from '#ui/tabs.tsx'

type PaymentTabsProps = {
  order: PayableOrder
  /** The total as the summary shows it. */
  sum: string
  payer: Pick<Profile, 'firstName' | 'lastName' | 'email'>
  /** The order may not be as it was shown: ask again. */
  onChanged: () => void
  onReject: () => void
}

/** Which banks can pay in which currency: nothing is converted. */
const BANKS = {
  GBP: 'This order is in pounds, so your account has to be with a bank in the United Kingdom.',
  EUR: 'This order is in euros, so your account has to be with a bank in the euro area.',
} as const

/** The three ways to pay. Each form is held here, so that what was typed in one is there when its tab comes back. */
export const PaymentTabs = ({ order, sum, payer, ...events }: PaymentTabsProps) => {
  const [method, setMethod] = useState<PaymentMethod>('card')
  const { firstName, lastName, email } = payer
  const card = useCardPayment({ pay: (values) => payByCard(order, values), ...events })
  const bank = usePayerPayment({
    known: { firstName, lastName, email },
    pay: (values) => payElsewhere('payByOpenBanking', order, values),
    ...events,
  })
  const blik = usePayerPayment({
    known: { firstName, lastName },
    pay: (values) => payElsewhere('payByBlik', order, values),
    ...events,
  })
  const contents = {
    card: (
      <CardChoice
        own={<CardPaymentForm {...card} sum={sum} />}
        hosted={<HostedCardPayment sum={sum} pay={() => payOnPage(order)} {...events} />}
      />
    ),
    open_banking: (
      <PayerPaymentForm {...bank} sum={sum} emailHint="So that your bank can write to you about it.">
        <p>You approve the payment in your bank’s own app or pages. We never see your login.</p>
        <p className="text-quiet-ink">{BANKS[order.currency.code]}</p>
      </PayerPaymentForm>
    ),
    blik: (
      <PayerPaymentForm {...blik} sum={sum} emailHint="Left empty, the email of your account is used.">
        <p>You confirm with the six-digit code from the app of your Polish bank.</p>
        <p className="text-quiet-ink">
          Blik pays in złoty only. You see what {sum} comes to, at the operator’s rate, before you confirm.
        </p>
      </PayerPaymentForm>
    ),
  }
  return (
    <Tabs
      label="How to pay"
      value={method}
      onChange={(value) => setMethod(value as PaymentMethod)}
      tabs={PAYMENT_METHODS.map((value) => ({ value, label: METHOD_NAMES[value], content: contents[value] }))}
    />
  )
}
