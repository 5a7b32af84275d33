import * as z from 'zod/mini'
import { type Bank, type Country, LARGEST_AMOUNT, SMALLEST_AMOUNT } from '#open-banking/banks.ts'
import { amount, currency, required } from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'

const CURRENCY_IDS: Record<string, number> = { EUR: 978, GBP: 826, PLN: 985 }

const presentBank = ({ id, abbr, name, nativeName }: Bank, currency: string) => ({
  id,
  abbr,
  name,
  nativeName,
  currencies: [{ id: CURRENCY_IDS[currency], alpha_3_4217: currency, exponent: 2 }],
  min_amount: SMALLEST_AMOUNT,
  max_amount: LARGEST_AMOUNT,
  limitCurrency: currency,
})

/** The sum is asked for and decides nothing: the gateway's own page says that any will do. */
export const bankListOf = (country: Country): GateCall => ({
  path: `/info/banks/${country.path}/sale/list`,
  fields: z.object({ 'payment.amount': required(amount), 'payment.currency': required(currency) }),
  isWithoutPayment: true,
  handle: () => country.banks.map((bank) => presentBank(bank, country.currency)),
})
