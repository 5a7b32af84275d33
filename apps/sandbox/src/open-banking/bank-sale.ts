import * as z from 'zod/mini'
import { type Bank, type Country, LARGEST_AMOUNT } from '#open-banking/banks.ts'
import { CODES, type Code } from '#payments/codes.ts'
import { GateError } from '#payments/gate-error.ts'
import type { Plan } from '#payments/payment.ts'
import * as is from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'
import { SALE_FIELDS, type SaleBody, startSale } from '#v2/new-sale.ts'

type Body = SaleBody & { account: { bank_id: number | string } }

const BANK_ID = 'number of a bank'

const FIELDS = {
  ...SALE_FIELDS,
  'account.bank_id': is.required(z.union([z.int(BANK_ID), is.matching(/^\d{1,10}$/, BANK_ID)], BANK_ID)),
  'customer.first_name': z.optional(is.text()),
  'customer.last_name': z.optional(is.text()),
  'customer.email': z.optional(is.emailAddress),
  'return_url.return': is.required(is.webAddress),
}

const POLISH_FIELDS = {
  'return_url.success': is.required(is.webAddress),
  'return_url.decline': is.required(is.webAddress),
}

const OTHER_FIELDS = {
  'return_url.success': z.optional(is.webAddress),
  'return_url.decline': z.optional(is.webAddress),
}

const refuse = (code: Code, field: string, constraint: string): never => {
  throw new GateError(400, code, [{ code, message: CODES[code], field, constraint }])
}

/** How a sale goes at a bank. */
export const planAt = ({ quirk }: Bank, { asksConsent }: Country): Plan => ({
  actions: [
    ...(asksConsent && quirk !== 'no consent' ? (['consent'] as const) : []),
    quirk === 'by post' ? 'bank-by-post' : 'bank',
  ],
  code: '0',
  isConfirmedLater: quirk === 'confirmed later',
})

/** Nothing is converted: a country's banks take its own currency alone. */
export const bankSaleIn = (country: Country): GateCall<Body> => ({
  path: `/payment/banks/${country.path}/sale`,
  fields: z.object({ ...FIELDS, ...(country.path === 'poland' ? POLISH_FIELDS : OTHER_FIELDS) }),
  isSale: true,
  handle: (body, gateway, requestId) => {
    const { amount, currency } = body.payment
    if (currency !== country.currency) refuse('2641', 'payment.currency', country.currency)
    if (amount > LARGEST_AMOUNT) refuse('2642', 'payment.amount', `at most ${LARGEST_AMOUNT}`)
    const bank = country.banks.find(({ id }) => id === Number(body.account.bank_id))
    if (!bank) return refuse('2641', 'account.bank_id', 'in the list of banks')
    startSale(gateway, body, requestId, {
      method: `Open Banking ${country.name}`,
      bank: { id: bank.id, name: bank.name },
      plan: planAt(bank, country),
    })
    return undefined
  },
})

/** Bank transfers cannot be called back. */
export const bankRefundIn = ({ path }: Country): GateCall => ({
  path: `/payment/banks/${path}/refund`,
  fields: z.object({}),
  handle: ({ general }: { general: { payment_id: string } }, gateway) => {
    gateway.getPayment(general.payment_id)
    throw new GateError(400, '3610')
  },
})
