import type { PaymentUpdate } from '#callbacks/payment-update.ts'
import { gateDate, isCascading, presentParts, presentProvider } from '#callbacks/present-payment.ts'
import { CODES } from '#payments/codes.ts'
import { type Operation, type Payment, receivedOf, sumOf } from '#payments/payment.ts'

const terminalPayment = (payment: Payment, { code }: Operation) => ({
  method: payment.method,
  date: gateDate(payment.updatedAt),
  result_code: code,
  result_message: CODES[code],
  status: payment.status,
  is_new_attempts_available: false,
  attempts_timeout: 0,
  id: payment.id,
  cascading_with_redirect: isCascading(payment),
  is_cascading: isCascading(payment),
  split_with_redirect: false,
  provider_id: 3,
})

const terminalOperation = (payment: Payment, operation: Operation) => ({
  id: operation.id,
  type: operation.type,
  status: operation.status,
  date: gateDate(operation.updatedAt),
  processing_time: null,
  request_id: operation.requestId,
  sum: sumOf(payment, operation),
  code: operation.code,
  message: CODES[operation.code],
  ...(operation.merchantRefundId && { merchant_refund_id: operation.merchantRefundId }),
  ...(operation.eci && { eci: operation.eci }),
  provider: presentProvider(operation),
})

/** An object while the customer is to be sent away, plain text otherwise. */
const returnUrlOf = ({ wait, returnUrls }: Payment): object | string | undefined =>
  wait?.shown.redirect_data ?? returnUrls.success

/** The terminal's format («161»): the operations as a list, no sum inside the payment, the signature in «general». */
export const terminalBody = ({ payment, operation, signer }: PaymentUpdate) => {
  const { redirect_data, ...parts } = presentParts(payment)
  const operations = payment.operations.map((each) => (each.id === operation.id ? operation : each))
  const returnUrl = returnUrlOf(payment)
  return {
    sum_request: { amount: payment.amount, currency: payment.currency },
    request_id: operation.requestId,
    transaction: { id: operation.id, date: gateDate(payment.createdAt), type: 'purchase' },
    payment: terminalPayment(payment, operation),
    sum_real: { amount: payment.remaining, currency: receivedOf(payment).currency },
    ...parts,
    rrn: '',
    ...(operation.authCode && { AuthCode: operation.authCode }),
    ...(returnUrl && { return_url: returnUrl }),
    general: { project_id: signer.projectId, payment_id: payment.id },
    description: payment.description,
    ...(payment.errors
      ? { errors: payment.errors }
      : { operations: operations.map((each) => terminalOperation(payment, each)) }),
  }
}
