import type { PayByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { Payer } from '#money/gateway/payer.ts'
import { type Checkout, startPayment } from '#money/payments/attempts/start-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { PlaceOfSale } from '#money/payments/place-of-sale/place-of-sale.queries.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import type { Dependencies } from '#platform/dependencies.ts'

/**
 * Sends the customer to type the card on the gateway's own page. `judged` is the place of the sale, where it is known already.
 * Throws what `placeOfSale` and `startPayment` throw.
 */
export const payByHostedCard = async (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  orderId: string,
  { total, currency, instead, ...said }: Omit<PayByHostedCardRequest, 'acceptTerms'>,
  payer: Pick<Payer, 'ipAddress' | 'networkCountry'>,
  checkout: Checkout = { cancelPath: `/checkout/${orderId}` },
  judged?: PlaceOfSale,
): Promise<string> =>
  startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'card', isHosted: true },
    shown: { total, currency },
    instead,
    place: judged ?? (await placeOfSale(deps, customerId, said, payer)),
    ipAddress: payer.ipAddress,
    ...checkout,
    customer: (email) => ({ id: customerId, email }),
  })
