import type { PayByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { Dependencies } from '#dependencies.ts'
import type { Payer } from '#gateway/payer.ts'
import type { PaymentDependencies } from '#payments/payment-statuses.ts'
import { type Checkout, startPayment } from '#payments/start-payment.ts'

/** Sends the customer to type the card on the gateway's own page. Throws what `startPayment` throws. */
export const payByHostedCard = (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  orderId: string,
  { total, currency, instead }: Omit<PayByHostedCardRequest, 'acceptTerms'>,
  { ipAddress }: Pick<Payer, 'ipAddress'>,
  checkout: Checkout = { cancelPath: `/checkout/${orderId}` },
): Promise<string> =>
  startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'card', isHosted: true },
    shown: { total, currency },
    instead,
    ipAddress,
    ...checkout,
    customer: (email) => ({ id: customerId, email }),
  })
