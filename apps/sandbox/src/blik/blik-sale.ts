import * as z from 'zod/mini'
import { CODES } from '#payments/codes.ts'
import { GateError } from '#payments/gate-error.ts'
import * as is from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'
import { SALE_FIELDS, type SaleBody, startSale } from '#v2/new-sale.ts'

/** 10,000 zł. */
const LARGEST_AMOUNT = 1_000_000

const CURRENCY = 'PLN'

const FIELDS = z.object({
  ...SALE_FIELDS,
  'customer.first_name': is.required(is.text()),
  'customer.last_name': is.required(is.text()),
  'customer.email': is.required(is.emailAddress),
  'return_url.success': z.optional(is.webAddress),
  'return_url.decline': z.optional(is.webAddress),
  'return_url.return': z.optional(is.webAddress),
})

const checkSum = ({ amount, currency }: SaleBody['payment']): void => {
  if (currency !== CURRENCY) {
    const field = 'payment.currency'
    throw new GateError(400, '3121', [{ code: '3121', message: CODES['3121'], field, constraint: CURRENCY }])
  }
  if (amount > LARGEST_AMOUNT) {
    const limit = { field: 'payment.amount', constraint: `at most ${LARGEST_AMOUNT}` }
    throw new GateError(400, '2642', [{ code: '2642', message: CODES['2642'], ...limit }])
  }
}

export const blikSale: GateCall<SaleBody> = {
  path: '/payment/blik/sale',
  fields: FIELDS,
  isSale: true,
  handle: (body, gateway, requestId) => {
    checkSum(body.payment)
    startSale(gateway, body, requestId, { method: 'blik', plan: { actions: ['blik-code'], code: '0' } })
    return undefined
  },
}
