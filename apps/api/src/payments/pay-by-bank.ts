import type { PayByOpenBankingRequest } from '@hedgerow/contract/payments'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { Dependencies } from '#dependencies.ts'
import type { Payer } from '#gateway/payer.ts'
import { invalidField, Problem } from '#http/problems.ts'
import type { PaymentDependencies } from '#payments/payment-statuses.ts'
import { startPayment } from '#payments/start-payment.ts'

/**
 * Pays from a bank account: the bank's own page asks the customer. Without a bank the gateway lets them choose one.
 * Throws 'method-not-open' where no bank takes the currency, 'invalid' for a bank that is not listed with it,
 * 'unavailable' where the list is not to be had, and what `startPayment` throws.
 */
export const payByBank = async (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  orderId: string,
  request: PayByOpenBankingRequest,
  payer: Payer,
): Promise<string> => {
  const { total, currency, firstName, lastName, email, bankId, instead } = request
  const country = deps.settings.bankCountries.find((one) => BANK_COUNTRIES[one]?.currency === currency)
  if (!country) {
    throw new Problem('method-not-open', {
      detail: `Banks cannot be paid from in ${currency} here. Nothing was charged. Pay by card.`,
    })
  }
  const bank = bankId === undefined ? undefined : await deps.banks.find(bankId, currency)
  if (bankId !== undefined && !bank) throw invalidField('bankId', OUR_MESSAGES.bank)
  return startPayment(deps, {
    orderId,
    customerId,
    saleMethod: { method: 'open_banking', country: bank?.country ?? country, bankId },
    shown: { total, currency },
    instead,
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
