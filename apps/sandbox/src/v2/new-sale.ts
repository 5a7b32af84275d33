import * as z from 'zod/mini'
import type { Gateway } from '#gateway/gateway.ts'
import { advanceSale } from '#gateway/sale.ts'
import { type FieldError, GateError } from '#payments/gate-error.ts'
import type { Account, AcsReturn, Payment, Plan, ReturnUrls } from '#payments/payment.ts'
import * as is from '#v2/field-rules.ts'
import type { General } from '#v2/gate-call.ts'

/** What every sale has, whatever it is paid with. */
export type SaleBody = {
  customer: { id: string; ip_address: string }
  payment: { amount: number; currency: string; description?: string }
  return_url?: ReturnUrls
}

export const SALE_FIELDS = {
  'general.merchant_callback_url': z.optional(is.webAddress),
  'customer.id': is.required(is.text()),
  'customer.ip_address': is.required(is.ipAddress),
  'customer.phone': z.optional(is.matching(/^\d{4,24}$/, '4 to 24 digits')),
  'customer.country': z.optional(is.matching(/^[A-Z]{2}$/, 'two capital letters')),
  'payment.amount': is.required(is.amount),
  'payment.currency': is.required(is.currency),
  'payment.description': z.optional(is.text()),
}

type SaleMethod = {
  method: string
  plan: Plan
  account?: Account
  bank?: { id: number; name: string }
  acsReturn?: AcsReturn | undefined
  errors?: FieldError[]
}

/** Writes the sale down and sets it going; the answer to the merchant goes out first, unless it is to go at once. */
export const startSale = (
  gateway: Gateway,
  body: SaleBody & { general: General },
  requestId: string,
  saleMethod: SaleMethod,
  isAtOnce = false,
): void => {
  const { general, payment: wanted } = body
  const existing = gateway.books.find(general.payment_id)
  // Only a payment that never started may be sent again under its id.
  if (existing && existing.status !== 'error') throw new GateError(400, '3041')
  const now = Date.now()
  const { amount } = wanted
  const payment: Payment = {
    id: general.payment_id,
    status: 'processing',
    amount,
    remaining: amount,
    currency: wanted.currency,
    description: wanted.description ?? '',
    createdAt: now,
    updatedAt: now,
    customerId: body.customer.id,
    callbackUrl: general.merchant_callback_url,
    returnUrls: { ...body.return_url },
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
    ...saleMethod,
  }
  gateway.books.add(payment)
  if (isAtOnce) advanceSale(gateway, payment)
  else gateway.later(() => advanceSale(gateway, payment))
}
