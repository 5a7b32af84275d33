import { signatureOf } from '@hedgerow/gate/signature'
import type { PaymentUpdate } from '#callbacks/payment-update.ts'
import { presentOperation, presentParts, presentPayment } from '#callbacks/present-payment.ts'
import { terminalBody } from '#callbacks/terminal-callback.ts'
import type { Operation, Payment } from '#payments/payment.ts'

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
  if (operation.type === 'sale') return { ...before, status: 'processing', updatedAt }
  const remaining = payment.remaining + (operation.status === 'success' ? operation.amount : 0)
  const status = remaining === payment.amount ? 'success' : 'partially refunded'
  return { ...before, status, remaining, updatedAt }
}

/** What could have been sent before the outcome was known, for a shop that must not believe it any more. */
export const presentEarlier = (update: PaymentUpdate): string => {
  const { authCode, eci, ...undecided } = update.operation
  const updatedAt = update.operation.createdAt
  const operation: Operation = { ...undecided, status: 'processing', code: '9999', updatedAt }
  return signed({ ...update, operation, payment: unfinished(update) })
}

/** A success that nobody vouches for: signed with a secret that is not the project's. */
export const presentForgery = (update: PaymentUpdate): string => {
  const { errors, wait, ...paid } = update.payment
  const operation: Operation = { ...update.operation, status: 'success', code: '0' }
  return signed(
    { ...update, operation, payment: { ...paid, status: 'success' } },
    `not ${update.signer.secret}`,
  )
}

/** True but for its sum, one minor unit, and truly signed: not what was ordered, and not to be delivered for. */
export const presentWrongSum = (update: PaymentUpdate): string => {
  const { payment, operation } = update
  return signed({
    ...update,
    operation: { ...operation, amount: 1 },
    payment: { ...payment, amount: 1, remaining: 1 },
  })
}
