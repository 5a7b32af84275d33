import { brandOf, maskPan } from '#gateway/card-number.ts'
import { CODES } from '#gateway/codes.ts'
import * as is from '#gateway/field-rules.ts'
import type { GateCall, General } from '#gateway/gate-call.ts'
import { GateError } from '#gateway/gate-error.ts'
import type { Gateway } from '#gateway/gateway.ts'
import type { Payment } from '#gateway/payment.ts'
import { settleSale } from '#gateway/sale.ts'
import { planFor } from '#gateway/test-cards.ts'

type Body = {
  card: { pan: string; year: number; month: number; card_holder: string; cvv: string }
  customer: { id: string; ip_address: string }
  payment: { amount: number; currency: string; description?: string }
  return_url: { success: string; decline: string }
}

const { required, optional } = is

const FIELDS = [
  optional('general.merchant_callback_url', is.webAddress),
  required('card.pan', is.matching(/^\d{12,19}$/, '12 to 19 digits')),
  required('card.year', is.integer(2020, 9999)),
  required('card.month', is.integer(1, 12)),
  required(
    'card.card_holder',
    is.matching(/^[\p{Script=Latin}\p{Script=Cyrillic}\d .'-]{1,255}$/u, "letters, digits, space, - . '"),
  ),
  required('card.cvv', is.matching(/^\d{3,4}$/, '3 or 4 digits')),
  optional('card.save', is.flag),
  required('customer.id', is.text()),
  required('customer.ip_address', is.ipAddress),
  optional('customer.email', is.matching(/^[^@\s]+@[^@\s]+$/, 'email address')),
  optional('customer.phone', is.matching(/^\d{4,24}$/, '4 to 24 digits')),
  optional('customer.first_name', is.text()),
  optional('customer.last_name', is.text()),
  optional('customer.country', is.matching(/^[A-Z]{2}$/, 'two capital letters')),
  optional('customer.browser', is.text(512)),
  optional('customer.accept_header', is.text(512)),
  optional('customer.language', is.text()),
  optional('customer.screen_res', is.text()),
  optional('customer.color_depth', is.integer(0, 64)),
  optional('customer.java_enabled', is.flag),
  optional('customer.js_enabled', is.flag),
  optional('customer.timezone_offset', is.matching(/^-?\d{1,4}$/, 'minutes, as a string')),
  required('payment.amount', is.amount),
  required('payment.currency', is.currency),
  optional('payment.description', is.text()),
  required('return_url.success', is.webAddress),
  required('return_url.decline', is.webAddress),
  optional('return_url.return', is.webAddress),
]

/** Currencies that the project may take; others are found out only after the request is accepted. */
const CURRENCIES = new Set(['EUR', 'GBP', 'PLN', 'USD'])

const checkExpiry = ({ year, month }: Body['card'], now: Date): void => {
  if (year * 12 + month >= now.getUTCFullYear() * 12 + now.getUTCMonth() + 1) return
  const constraint = 'not in the past'
  throw new GateError(400, '502', [{ code: '502', message: CODES['502'], field: 'card.year', constraint }])
}

const newPayment = (body: Body & { general: General }, gateway: Gateway, requestId: string): Payment => {
  const { card, payment, general } = body
  const now = Date.now()
  const { amount, currency } = payment
  return {
    id: general.payment_id,
    method: 'card',
    status: 'processing',
    amount,
    remaining: amount,
    currency,
    description: payment.description ?? '',
    createdAt: now,
    updatedAt: now,
    customerId: body.customer.id,
    callbackUrl: general.merchant_callback_url,
    declineUrl: body.return_url.decline,
    account: {
      number: maskPan(card.pan),
      type: brandOf(card.pan),
      card_holder: card.card_holder,
      expiry_month: String(card.month).padStart(2, '0'),
      expiry_year: String(card.year),
    },
    plan: planFor(card.pan),
    challengesMade: 0,
    operations: [
      {
        id: gateway.nextOperationId(),
        type: 'sale',
        status: 'processing',
        code: '9999',
        amount,
        requestId,
        createdAt: now,
        updatedAt: now,
      },
    ],
    callbacks: { tried: 0, delivered: 0 },
  }
}

export const cardSale: GateCall<Body> = {
  path: '/payment/card/sale',
  fields: FIELDS,
  isSale: true,
  handle: (body, gateway, requestId) => {
    checkExpiry(body.card, new Date())
    const existing = gateway.books.find(body.general.payment_id)
    // Only a payment that never started may be sent again under its id.
    if (existing && existing.status !== 'error') throw new GateError(400, '3041')
    const payment = newPayment(body, gateway, requestId)
    if (!CURRENCIES.has(payment.currency)) {
      payment.errors = [
        { code: '3023', message: CODES['3023'], field: 'payment.currency', constraint: 'enabled' },
      ]
    }
    gateway.books.add(payment)
    const [sale] = payment.operations
    if (sale) gateway.later(() => settleSale(gateway, payment, sale))
    return undefined
  },
}
