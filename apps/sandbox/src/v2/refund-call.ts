import * as z from 'zod/mini'
import { finishRefund, refundable, refundType } from '#gateway/refund.ts'
import { GateError } from '#payments/gate-error.ts'
import { type Operation, type Payment, receivedOf } from '#payments/payment.ts'
import { amount, currency, required, text, webAddress } from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'

type Body = {
  payment: { description: string; amount?: number; currency?: string; merchant_refund_id?: string }
}

const FIELDS = z.object({
  'general.merchant_callback_url': z.optional(webAddress),
  'payment.description': required(text()),
  'payment.amount': z.optional(amount),
  'payment.currency': z.optional(currency),
  'payment.merchant_refund_id': z.optional(text()),
})

const REFUNDABLE = new Set(['success', 'partially paid', 'partially refunded', 'partially reversed'])

const checkRefund = (payment: Payment, method: string, wanted: Body['payment']): void => {
  const refundId = wanted.merchant_refund_id
  const isRepeat = refundId && payment.operations.some((each) => each.merchantRefundId === refundId)
  if (isRepeat) throw new GateError(400, '3230')
  if (payment.method !== method) throw new GateError(400, '3610')
  if (wanted.amount === undefined && wanted.currency !== undefined) throw new GateError(400, '3286')
  if (wanted.amount !== undefined && wanted.currency === undefined) throw new GateError(400, '3287')
  if (!REFUNDABLE.has(payment.status)) {
    // Everything has been paid back already, which is a different mistake from refunding what was never paid.
    throw new GateError(400, payment.remaining === 0 ? '3283' : '3610')
  }
  if (wanted.currency !== undefined && wanted.currency !== receivedOf(payment).currency)
    throw new GateError(400, '3284')
}

export const refundBy = (method: string): GateCall<Body> => ({
  path: `/payment/${method}/refund`,
  fields: FIELDS,
  handle: (body, gateway, requestId) => {
    const payment = gateway.getPayment(body.general.payment_id)
    checkRefund(payment, method, body.payment)
    const left = refundable(payment)
    const refunded = body.payment.amount ?? left
    if (refunded > left || left === 0) throw new GateError(400, '3283')
    const now = Date.now()
    const operation: Operation = {
      id: gateway.nextOperationId(),
      type: refundType(payment, refunded, now),
      status: 'processing',
      code: '9999',
      amount: refunded,
      requestId,
      createdAt: now,
      updatedAt: now,
      merchantRefundId: body.payment.merchant_refund_id || undefined,
    }
    payment.operations.push(operation)
    payment.callbackUrl = body.general.merchant_callback_url ?? payment.callbackUrl
    gateway.books.save(payment)
    gateway.later(() => finishRefund(gateway, payment, operation))
    return undefined
  },
})
