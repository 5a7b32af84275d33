import type { PayByCardRequest } from '@hedgerow/contract/payments'
import { fullYear, maskPan } from '@hedgerow/domain/cards'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import type { Payer } from '#money/gateway/payer.ts'
import { type Checkout, startPayment } from '#money/payments/attempts/start-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { PlaceOfSale } from '#money/payments/place-of-sale/place-of-sale.queries.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import type { Dependencies } from '#platform/dependencies.ts'

type CardAttempt = {
  customerId: string
  orderId: string
  request: PayByCardRequest
  payer: Payer
  checkout?: Checkout
  /** Where it is known already. */
  place?: PlaceOfSale
}

/** Throws what `placeOfSale` and `startPayment` throw. */
export const payByCard = async (
  deps: Dependencies & PaymentDependencies,
  {
    customerId,
    orderId,
    request,
    payer,
    checkout = { cancelPath: `/checkout/${orderId}` },
    place: known,
  }: CardAttempt,
): Promise<string> => {
  const { total, currency, pan, card_holder, month, year, cvv, browser, instead } = request
  const place = known ?? (await placeOfSale(deps, customerId, request, payer))
  return startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'card', card: { pan, card_holder, month, year: fullYear(year), cvv } },
    shown: { total, currency },
    panMasked: maskPan(pan),
    // Browsers and customers fill in the number here, too.
    cardHolder: maskCardNumbers(card_holder),
    instead,
    place,
    ipAddress: payer.ipAddress,
    ...checkout,
    // EMV 3DS browser data: the more it knows, the fewer questions 3-D Secure asks.
    customer: (email) => ({
      id: customerId,
      email,
      ip_address: payer.ipAddress,
      browser: payer.userAgent.slice(0, 512),
      accept_header: payer.accept,
      accept_language_header: payer.acceptLanguage || undefined,
      js_enabled: browser !== undefined,
      ...browser,
    }),
  })
}
