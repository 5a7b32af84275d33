import type { PayByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { Dependencies } from '#dependencies.ts'
import { startPayment } from './start-payment.ts'

/** Sends the customer to type the card on the gateway's own page. Throws what `startPayment` throws. */
export const payByHostedCard = (
  deps: Dependencies,
  customerId: string,
  orderId: string,
  { total, currency, instead }: Omit<PayByHostedCardRequest, 'acceptTerms'>,
  leaveTo = `/checkout/${orderId}`,
): Promise<string> =>
  startPayment(deps, {
    orderId,
    customerId,
    way: { method: 'card', isHosted: true },
    shown: { total, currency },
    instead,
    leaveTo,
    customer: (email) => ({ id: customerId, email }),
  })
