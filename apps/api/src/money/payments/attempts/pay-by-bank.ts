import type { Bank } from '@hedgerow/contract/payment-actions'
import type { PayByOpenBankingRequest } from '@hedgerow/contract/payments'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { Payer } from '#money/gateway/payer.ts'
import { startPayment } from '#money/payments/attempts/start-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

/** Undefined without a choice. Throws 'invalid' for a bank that is not listed with the currency, and 'banks-unknown'. */
const bankChosen = async (
  { banks }: PaymentDependencies,
  { bankId, currency }: PayByOpenBankingRequest,
): Promise<Bank | undefined> => {
  if (bankId === undefined) return undefined
  const bank = await banks.find(bankId, currency)
  if (!bank) throw invalidField('bankId', OUR_MESSAGES.bank)
  return bank
}

/**
 * Pays from a bank account: the bank's own page asks the customer. Without a bank the gateway's Payment Page lets them
 * choose one; where the operator has set none, a bank is needed.
 * Throws 'method-not-open' where no bank takes the currency, 'invalid' for a bank that is not listed with it or that is
 * needed, 'banks-unknown' where the list is not to be had, and what `placeOfSale` and
 * `startPayment` throw.
 */
export const payByBank = async (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  orderId: string,
  request: PayByOpenBankingRequest,
  payer: Payer,
): Promise<string> => {
  const { total, currency, firstName, lastName, email, instead } = request
  const { bankCountries, gate } = deps.settings
  if (!gate || !bankCountries.some((country) => BANK_COUNTRIES[country]?.currency === currency)) {
    throw new Problem('method-not-open', {
      detail: `You cannot pay from a bank account in ${currency} here. Nothing was charged. Pay by card.`,
    })
  }
  const bank = await bankChosen(deps, request)
  if (!bank && !gate.pageUrl) throw invalidField('bankId', OUR_MESSAGES.bank)
  const place = await placeOfSale(deps, customerId, request, payer)
  return startPayment(deps, {
    orderId,
    customerId,
    saleMethod: bank
      ? { method: 'open_banking', country: bank.country, bankId: bank.id }
      : { method: 'open_banking', isHosted: true },
    shown: { total, currency },
    instead,
    place,
    bankCountry: bank && BANK_COUNTRIES[bank.country]?.iso,
    ipAddress: payer.ipAddress,
    cancelPath: `/checkout/${orderId}`,
    customer: (accountEmail) => ({
      id: customerId,
      email: email || accountEmail,
      first_name: firstName,
      last_name: lastName,
      ip_address: payer.ipAddress,
    }),
  })
}
