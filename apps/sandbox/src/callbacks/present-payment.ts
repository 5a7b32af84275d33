import { CHALLENGES } from '#next-actions/next-actions.ts'
import { CODES } from '#payments/codes.ts'
import { type Operation, type Payment, receivedOf, sumOf } from '#payments/payment.ts'

/** The gateway's date format: seconds, UTC, an offset without a colon. */
export const gateDate = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+0000`

/** The first try failed, and the customer is asked again. */
export const isCascading = ({ wait, challengesMade }: Payment): boolean =>
  wait !== undefined && CHALLENGES.has(wait.action) && challengesMade > 1

export const presentPayment = (payment: Payment) => ({
  id: payment.id,
  type: 'purchase',
  status: payment.status,
  date: gateDate(payment.updatedAt),
  method: payment.method,
  sum: { amount: payment.remaining, currency: receivedOf(payment).currency },
  description: payment.description,
  ...(isCascading(payment) && { cascading_with_redirect: true }),
})

/** Who paid, with what, and what they are to do now. */
export const presentParts = ({ customerId, account, wait }: Payment) => ({
  customer: { id: customerId },
  ...(account && { account }),
  ...wait?.shown,
})

export const presentOperation = (payment: Payment, operation: Operation) => {
  const sum = sumOf(payment, operation)
  return {
    id: operation.id,
    type: operation.type,
    status: operation.status,
    date: gateDate(operation.updatedAt),
    created_date: gateDate(operation.createdAt),
    request_id: operation.requestId,
    sum_initial: sum,
    sum_converted: sum,
    code: operation.code,
    message: CODES[operation.code],
    ...(operation.merchantRefundId && { merchant_refund_id: operation.merchantRefundId }),
    ...(operation.eci && { eci: operation.eci }),
    provider: presentProvider(operation),
  }
}

export const presentProvider = (operation: Operation) => ({
  id: 3,
  payment_id: operation.authCode ? `p${operation.id}` : '',
  ...(operation.authCode && { auth_code: operation.authCode }),
  endpoint_id: 3,
  date: gateDate(operation.updatedAt),
})
