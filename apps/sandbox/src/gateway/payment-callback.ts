import { signatureOf } from '@hedgerow/gate/signature'
import type { Operation, Payment } from '#gateway/payment.ts'
import { presentAccount, presentAcs, presentOperation, presentPayment } from '#gateway/present-payment.ts'
import type { SandboxSettings } from '#settings.ts'

type Signer = Pick<SandboxSettings, 'projectId' | 'secret'> & { publicUrl?: string | undefined }

const callbackBody = (payment: Payment, operation: Operation, projectId: number): object => ({
  project_id: projectId,
  payment: presentPayment(payment),
  customer: { id: payment.customerId },
  ...presentAccount(payment),
  // A request that failed its deeper checks never became an operation.
  ...(payment.errors
    ? { request_id: operation.requestId, errors: payment.errors }
    : { operation: presentOperation(payment, operation) }),
  ...presentAcs(payment),
})

const signed = (body: object, secret: string): string =>
  JSON.stringify({ ...body, signature: signatureOf(body, secret) })

/** The merchant's default format. Signed as it is now: a later try delivers the same text. */
export const presentCallback = (payment: Payment, operation: Operation, signer: Signer): string =>
  signed(callbackBody(payment, operation, signer.projectId), signer.secret)

/** What could have been sent before the outcome was known, for a shop that must not believe it any more. */
export const presentEarlier = (payment: Payment, operation: Operation, signer: Signer): string => {
  const { authCode, eci, ...undecided } = operation
  const before = { ...undecided, status: 'processing', code: '9999', updatedAt: operation.createdAt } as const
  const { errors, ...unfinished } = payment
  const body = { ...unfinished, status: 'processing', updatedAt: operation.createdAt } as const
  return signed(callbackBody(body, before, signer.projectId), signer.secret)
}

/** A success that nobody vouches for: signed with a secret that is not the project's. */
export const presentForgery = (payment: Payment, operation: Operation, signer: Signer): string => {
  const { errors, challenge, ...paid } = payment
  const success = { ...operation, status: 'success', code: '0' } as const
  const body = callbackBody({ ...paid, status: 'success' }, success, signer.projectId)
  return signed(body, `not ${signer.secret}`)
}
