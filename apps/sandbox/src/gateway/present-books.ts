import { CODES } from '#gateway/codes.ts'
import type { Operation, Payment } from '#gateway/payment.ts'

export const presentBookLine = (payment: Payment) => ({
  id: payment.id,
  status: payment.status,
  amount: payment.amount,
  remaining: payment.remaining,
  currency: payment.currency,
  number: payment.account.number,
  created: new Date(payment.createdAt).toISOString(),
  operations: payment.operations.length,
  callbacks: { tried: payment.callbacks.tried, delivered: payment.callbacks.delivered },
})

const presentBookOperation = (operation: Operation) => ({
  id: operation.id,
  type: operation.type,
  status: operation.status,
  amount: operation.amount,
  code: operation.code,
  message: CODES[operation.code],
  request_id: operation.requestId,
  auth_code: operation.authCode ?? null,
  merchant_refund_id: operation.merchantRefundId ?? null,
  created: new Date(operation.createdAt).toISOString(),
  updated: new Date(operation.updatedAt).toISOString(),
})

export const presentBookEntry = (payment: Payment) => ({
  ...presentBookLine(payment),
  method: payment.method,
  description: payment.description,
  customer: payment.customerId,
  card_holder: payment.account.card_holder,
  brand: payment.account.type,
  callback_url: payment.callbackUrl ?? null,
  errors: payment.errors ?? [],
  operations: payment.operations.map(presentBookOperation),
})
