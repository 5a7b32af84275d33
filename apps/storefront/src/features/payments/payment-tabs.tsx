import { METHOD_NAMES, PAYMENT_METHODS, type PaymentMethod } from '@hedgerow/domain/payment-methods'
import { useState } from 'react'
import { BankPaymentForm, useBankPayment } from '#features/payments/bank-payment.tsx'
import { BlikPaymentForm, useBlikPayment } from '#features/payments/blik-payment.tsx'
import { CardChoice } from '#features/payments/card-choice.tsx'
import { CardPaymentForm, useCardPayment } from '#features/payments/card-payment.tsx'
import { HostedCardPayment, payOnPage } from '#features/payments/hosted-card-payment.tsx'
import { payByCard } from '#features/payments/pay-by-card.ts'
import type { Checkout } from '#features/payments/way.ts'
import { Tabs } from '#ui/tabs.tsx'

type PaymentTabsProps = Checkout & {
  /** The total as the summary shows it. */
  sum: string
}

/** The three ways to pay. Each form is held here, so that what was typed in one is there when its tab comes back. */
export const PaymentTabs = ({ sum, ...checkout }: PaymentTabsProps) => {
  const [method, setMethod] = useState<PaymentMethod>('card')
  const { order, onChanged, onReject, removePromocode } = checkout
  const onCard = { onChanged, onReject, removePromocode }
  const card = useCardPayment({ pay: (values) => payByCard(order, values), ...onCard })
  const bank = useBankPayment({ ...checkout, isShown: method === 'open_banking' })
  const blik = useBlikPayment({ ...checkout, isShown: method === 'blik' })
  const contents = {
    card: (
      <CardChoice
        own={<CardPaymentForm {...card} sum={sum} />}
        hosted={<HostedCardPayment sum={sum} pay={(instead) => payOnPage(order, instead)} {...onCard} />}
      />
    ),
    open_banking: <BankPaymentForm {...bank} sum={sum} />,
    blik: <BlikPaymentForm {...blik} />,
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
