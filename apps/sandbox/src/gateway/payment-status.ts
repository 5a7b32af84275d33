import { signatureOf } from '@hedgerow/gate/signature'
import { CODES, type Code } from '#gateway/codes.ts'
import type { GateCall } from '#gateway/gate-call.ts'
import type { Gateway } from '#gateway/gateway.ts'
import type { Payment } from '#gateway/payment.ts'
import { presentOperation, presentParts, presentPayment } from '#gateway/present-payment.ts'
import { declineIfLate } from '#gateway/sale.ts'

/** Not a failed payment: the gateway only cannot tell, and perhaps can later. */
const notTold = (id: string, code: Code) => {
  const error = { code, message: CODES[code] }
  return { status: 'error', ...error, payment: { id, status: 'error' }, errors: [error] }
}

const knownPayment = (payment: Payment) => ({
  payment: presentPayment(payment),
  ...presentParts(payment),
  ...(payment.errors
    ? { operations: [], errors: payment.errors }
    : { operations: payment.operations.map((operation) => presentOperation(payment, operation)) }),
})

const isHidden = (gateway: Gateway, { id, updatedAt }: Payment): boolean =>
  Date.now() < updatedAt + gateway.faults.hideStatusMs && gateway.isStruck(id, 'hideStatus')

const stateOf = (gateway: Gateway, id: string): object => {
  const payment = gateway.books.find(id)
  if (!payment) return notTold(id, '3061')
  declineIfLate(gateway, payment)
  if (!isHidden(gateway, payment)) return knownPayment(payment)
  gateway.countFault('hideStatus')
  return notTold(id, '3062')
}

export const paymentStatus: GateCall = {
  path: '/payment/status',
  fields: [],
  handle: ({ general }: { general: { payment_id: string } }, gateway) => {
    const { projectId, secret } = gateway.settings
    const body = { project_id: projectId, ...stateOf(gateway, general.payment_id) }
    return { ...body, signature: signatureOf(body, secret) }
  },
}
