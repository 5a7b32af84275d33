import type { PayByBlikRequest } from '@hedgerow/contract/payments'
import { BLIK_CURRENCY, BLIK_MOST_MINOR, convertMinor } from '@hedgerow/domain/exchange'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { toMinor } from '@hedgerow/domain/money'
import type { Payer } from '#money/gateway/payer.ts'
import { startPayment } from '#money/payments/attempts/start-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import { findRate } from '#money/rates/rates.queries.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

/** Only Polish banks have it. */
const BLIK_COUNTRY = 'PL'

const notOpen = (detail: string) => new Problem('method-not-open', { detail })

/**
 * Pays by Blik, which settles in PLN: at the operator's rate of this moment, which is kept with both sums.
 * Throws 'method-not-open' without a rate or above Blik's limit, 'total-differs' when the sum in PLN is no longer the one
 * that was shown, and what `placeOfSale` and `startPayment` throw.
 */
export const payByBlik = async (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  orderId: string,
  request: PayByBlikRequest,
  payer: Payer,
): Promise<string> => {
  const { total, currency, firstName, lastName, email, settles, instead } = request
  const rate = deps.settings.gate ? await findRate(deps.db, currency) : undefined
  if (!rate) throw notOpen(`You cannot pay by Blik in ${currency} here. Nothing was charged. Pay by card.`)
  const minor = convertMinor(toMinor(total) ?? 0, rate.rate_micro)
  if (minor < 1 || minor > BLIK_MOST_MINOR) {
    throw notOpen('Blik takes 10,000 PLN at most. Nothing was charged. Pay by card.')
  }
  if (settles !== undefined && toMinor(settles) !== minor) {
    const message = OUR_MESSAGES.settles
    throw new Problem('total-differs', { detail: message, errors: [{ path: 'settles', message }] })
  }
  const place = await placeOfSale(deps, customerId, request, payer)
  return startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'blik' },
    shown: { total, currency },
    converted: { minor, currency: BLIK_CURRENCY, rateMicro: rate.rate_micro, ratedAt: rate.set_at },
    instead,
    place,
    bankCountry: BLIK_COUNTRY,
    ipAddress: payer.ipAddress,
    cancelPath: `/checkout/${orderId}`,
    // The gateway wants an address; the form does not (product.md).
    customer: (accountEmail) => ({
      id: customerId,
      email: email || accountEmail,
      first_name: firstName,
      last_name: lastName,
      ip_address: payer.ipAddress,
    }),
  })
}
