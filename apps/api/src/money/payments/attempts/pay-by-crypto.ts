import type { PayByCryptoRequest } from '@hedgerow/contract/payments'
import type { Payer } from '#money/gateway/payer.ts'
import { startPayment } from '#money/payments/attempts/start-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

/**
 * Sends the customer to a page that says where to pay, and how much bitcoin. Throws 'method-not-open' while operators have not
 * turned it on, and what `placeOfSale` and `startPayment` throw.
 */
export const payByCrypto = async (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  orderId: string,
  { total, currency, instead, ...claimed }: PayByCryptoRequest,
  payer: Payer,
): Promise<string> => {
  if (!deps.settings.carriers.crypto)
    throw new Problem('method-not-open', {
      detail: 'You cannot pay in bitcoin here. Nothing was charged. Pay by card.',
    })
  return startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'crypto', isHosted: true },
    shown: { total, currency },
    instead,
    place: await placeOfSale(deps, customerId, claimed, payer),
    ipAddress: payer.ipAddress,
    cancelPath: `/checkout/${orderId}`,
    // No name and no address: their server needs neither.
    customer: () => ({}),
  })
}
