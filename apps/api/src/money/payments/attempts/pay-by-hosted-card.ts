import type { PayByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { Payer } from '#money/gateway/payer.ts'
import { type Checkout, startPayment } from '#money/payments/attempts/start-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { PlaceOfSale } from '#money/payments/place-of-sale/place-of-sale.queries.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import type { Dependencies } from '#platform/dependencies.ts'

type HostedCardAttempt = {
  customerId: string
  orderId: string
  request: Omit<PayByHostedCardRequest, 'acceptTerms'>
  payer: Pick<Payer, 'ipAddress' | 'networkCountry'>
  checkout?: Checkout
  /** Where it is known already. */
  place?: PlaceOfSale
}

/** Sends the customer to type the card on the gateway's own page. Throws what `placeOfSale` and `startPayment` throw. */
export const payByHostedCard = async (
  deps: Dependencies & PaymentDependencies,
  {
    customerId,
    orderId,
    request: { total, currency, instead, ...claimed },
    payer,
    checkout = { cancelPath: `/checkout/${orderId}` },
    place,
  }: HostedCardAttempt,
): Promise<string> =>
  startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'card', isHosted: true },
    shown: { total, currency },
    instead,
    place: place ?? (await placeOfSale(deps, customerId, claimed, payer)),
    ipAddress: payer.ipAddress,
    ...checkout,
    customer: (email) => ({ id: customerId, email }),
  })
