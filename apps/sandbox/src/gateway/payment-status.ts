import { signatureOf } from '@hedgerow/gate/signature'
import { CODES } from '#gateway/codes.ts'
import type { GateCall } from '#gateway/gate-call.ts'
import type { Payment } from '#gateway/payment.ts'
import { presentAccount, presentAcs, presentOperation, presentPayment } from '#gateway/present-payment.ts'
import { declineIfLate } from '#gateway/sale.ts'

/** Not a failed payment: the gateway only does not know it, and perhaps not yet. */
const unknownPayment = (id: string) => {
  const error = { code: '3061', message: CODES['3061'] }
  return { status: 'error', ...error, payment: { id, status: 'error' }, errors: [error] }
}

const knownPayment = (payment: Payment) => ({
  payment: presentPayment(payment),
  customer: { id: payment.customerId },
  ...presentAccount(payment),
  ...(payment.errors
    ? { operations: [], errors: payment.errors }
    : { operations: payment.operations.map((operation) => presentOperation(payment, operation)) }),
  ...presentAcs(payment),
})

export const paymentStatus: GateCall = {
  path: '/payment/status',
  fields: [],
  handle: ({ general }: { general: { payment_id: string } }, gateway) => {
    const payment = gateway.books.find(general.payment_id)
    if (payment) declineIfLate(gateway, payment)
    const { projectId, secret } = gateway.settings
    const state = payment ? knownPayment(payment) : unknownPayment(general.payment_id)
    const body = { project_id: projectId, ...state }
    return { ...body, signature: signatureOf(body, secret) }
  },
}
