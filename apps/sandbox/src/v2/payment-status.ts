import { signatureOf } from '@hedgerow/gate/signature'
import * as z from 'zod/mini'
import { presentOperation, presentParts, presentPayment } from '#callbacks/present-payment.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { declineIfLate } from '#gateway/sale.ts'
import { CODES, type Code } from '#payments/codes.ts'
import type { Payment } from '#payments/payment.ts'
import type { GateCall } from '#v2/gate-call.ts'

/** Not a failed payment: the gateway only cannot tell, and perhaps can later. */
const unavailable = (id: string, code: Code) => {
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
  Date.now() < updatedAt + gateway.faults.switches.hideStatusMs &&
  gateway.faults.strikesPayment(id, 'hideStatus')

const stateOf = (gateway: Gateway, id: string): object => {
  const payment = gateway.books.find(id)
  if (!payment) return unavailable(id, '3061')
  declineIfLate(gateway, payment)
  if (!isHidden(gateway, payment)) return knownPayment(payment)
  gateway.faults.count('hideStatus')
  return unavailable(id, '3062')
}

export const paymentStatus: GateCall = {
  path: '/payment/status',
  isQuestion: true,
  fields: z.object({}),
  handle: ({ general }: { general: { payment_id: string } }, gateway) => {
    const { projectId, secret } = gateway.settings
    const body = { project_id: projectId, ...stateOf(gateway, general.payment_id) }
    return { ...body, signature: signatureOf(body, secret) }
  },
}
