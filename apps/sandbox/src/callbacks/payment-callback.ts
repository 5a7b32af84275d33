import { signatureOf } from '@hedgerow/gate/signature'
import type { PaymentUpdate } from '#callbacks/payment-update.ts'
import { presentOperation, presentParts, presentPayment } from '#callbacks/present-payment.ts'
import { terminalBody } from '#callbacks/terminal-callback.ts'
import { type Operation, type Payment, receivedOf } from '#payments/payment.ts'

/** The merchant's default format («format 1»). */
const merchantBody = ({ payment, operation, signer }: PaymentUpdate): object => ({
  project_id: signer.projectId,
  payment: presentPayment(payment),
  ...presentParts(payment),
  // A request that failed its deeper checks never became an operation.
  ...(payment.errors
    ? { request_id: operation.requestId, errors: payment.errors }
    : { operation: presentOperation(payment, operation) }),
})

type Body = { general?: object }

const withGeneralSignature = (body: Body, secret: string): object => ({
  ...body,
  general: { ...body.general, signature: signatureOf(body, secret) },
})

const signed = (update: PaymentUpdate, secret = update.signer.secret): string => {
  if (update.format === 'terminal') {
    return JSON.stringify(withGeneralSignature(terminalBody(update), secret))
  }
  const body = merchantBody(update)
  return JSON.stringify(
    update.format === 'merchant'
      ? { ...body, signature: signatureOf(body, secret) }
      : withGeneralSignature(body, secret),
  )
}

/** Signed as it is now: a later try delivers the same text. */
export const presentCallback = (update: PaymentUpdate): string => signed(update)

/** As the payment stood before the operation. */
const unfinished = ({ payment, operation }: PaymentUpdate): Payment => {
  const { errors, ...before } = payment
  const updatedAt = operation.createdAt
  if (operation.type === 'sale') {
    const { received, ...asked } = before
    return { ...asked, ...(received && { remaining: asked.amount }), status: 'processing', updatedAt }
  }
  if (operation.type === 'payment confirmation')
    return { ...before, status: 'awaiting confirmation', updatedAt }
  const remaining = payment.remaining + (operation.status === 'success' ? operation.amount : 0)
  const status = remaining === receivedOf(payment).amount ? 'success' : 'partially refunded'
  return { ...before, status, remaining, updatedAt }
}

/** What could have been sent before the outcome was known, for a shop that must not believe it any more. */
export const presentEarlier = (update: PaymentUpdate): string => {
  const { authCode, eci, ...undecided } = update.operation
  const updatedAt = update.operation.createdAt
  const operation: Operation = { ...undecided, status: 'processing', code: '9999', updatedAt }
  return signed({ ...update, operation, payment: unfinished(update) })
}

/** A forged success: signed with a secret that is not the project's. */
export const presentForgery = (update: PaymentUpdate): string => {
  const { errors, wait, ...paid } = update.payment
  const operation: Operation = { ...update.operation, status: 'success', code: '0' }
  return signed(
    { ...update, operation, payment: { ...paid, status: 'success' } },
    `not ${update.signer.secret}`,
  )
}

/** As it stood before, truly signed, but for a sum of one minor unit: not what was ordered, and not to be believed. */
export const presentWrongSum = (update: PaymentUpdate): string => {
  const { authCode, eci, ...undecided } = update.operation
  const operation: Operation = { ...undecided, amount: 1, status: 'processing', code: '9999' }
  const { received, ...before } = unfinished(update)
  const payment = { ...before, amount: 1, remaining: 1, operations: [operation] }
  return signed({ ...update, operation, payment })
}
