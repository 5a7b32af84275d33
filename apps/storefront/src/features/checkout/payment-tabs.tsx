import { METHOD_NAMES, PAYMENT_METHODS, type PaymentMethod } from '@hedgerow/domain/payment-methods'
import { Tabs } from '@hedgerow/ui/tabs.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BankPaymentForm, useBankPayment } from '#features/checkout/bank-payment.tsx'
import { BlikPaymentForm, useBlikPayment } from '#features/checkout/blik-payment.tsx'
import { CardChoice } from '#features/checkout/card-choice.tsx'
import { CardPaymentForm, useCardPayment } from '#features/checkout/card-payment.tsx'
import { HostedCardPayment } from '#features/checkout/hosted-card-payment.tsx'
import { payByCard, payByCrypto, payByHostedCard } from '#features/checkout/pay.ts'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import type { OrderCheckout } from '#features/checkout/use-payment.ts'

/** Its name without the second half, which a phone has no room for beside the others; who listens hears all of it. */
const BITCOIN = (
  <span>
    Bitcoin<span className="max-sm:sr-only"> and Lightning</span>
  </span>
)

type PaymentTabsProps = OrderCheckout & {
  /** The total as the summary shows it. */
  sum: string
}

/** A tab for each payment method. Each form is held here, so that what was typed in one is there when its tab comes back. */
export const PaymentTabs = ({ sum, ...checkout }: PaymentTabsProps) => {
  const [method, setMethod] = useState<PaymentMethod>('card')
  const { data } = useQuery(paymentMethodsQuery)
  const { goods, order, saleTo, onChanged, onReject, removePromocode, applyTyped, refusePlace } = checkout
  const callbacks = { goods, onChanged, onReject, removePromocode, applyTyped, refusePlace }
  const card = useCardPayment({ pay: (values) => payByCard(order, { ...values, ...saleTo }), ...callbacks })
  const bank = useBankPayment({ ...checkout, isShown: method === 'open_banking' })
  const blik = useBlikPayment({ ...checkout, isShown: method === 'blik' })
  const contents = {
    card: (
      <CardChoice
        own={<CardPaymentForm {...card} sum={sum} />}
        hosted={
          <HostedCardPayment
            sum={sum}
            pay={(details) => payByHostedCard(order, { ...details, ...saleTo })}
            {...callbacks}
          />
        }
      />
    ),
    open_banking: <BankPaymentForm {...bank} sum={sum} />,
    blik: <BlikPaymentForm {...blik} />,
    crypto: (
      <HostedCardPayment
        sum={sum}
        pay={(details) => payByCrypto(order, { ...details, ...saleTo })}
        wayBack={`A refund pays back the price in ${order.currency.code}, in bitcoin at the rate of the day we send it. We email you a link for it within 14 days.`}
        {...callbacks}
      >
        <div className="space-y-2">
          <p>The next page shows how much bitcoin to send, and where. You have 30 minutes to send it.</p>
          <p className="text-quiet-ink">
            Send exactly the amount shown. Lightning arrives at once. On the chain it takes ten minutes to an
            hour.
          </p>
        </div>
      </HostedCardPayment>
    ),
  }
  const methods = PAYMENT_METHODS.filter((value) => value !== 'crypto' || data?.takesCrypto)
  return (
    <Tabs
      label="How to pay"
      value={method}
      onChange={(value) => setMethod(value as PaymentMethod)}
      tabs={methods.map((value) => ({
        value,
        label: value === 'crypto' ? BITCOIN : METHOD_NAMES[value],
        content: contents[value],
      }))}
    />
  )
}
