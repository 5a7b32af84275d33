import type { PayByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { Dependencies } from '#dependencies.ts'
import type { Payer } from '#gateway/payer.ts'
import type { PaymentDependencies } from '#payments/payment-statuses.ts'
import type { PlaceOfSale } from '#payments/place-of-sale.queries.ts'
import { placeOfSale } from '#payments/place-of-sale.ts'
import { type Checkout, startPayment } from '#payments/start-payment.ts'

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
