import { signatureOf } from '@hedgerow/gate/signature'
import type { CallbackFormat } from '#gateway/faults.ts'
import type { Operation, Payment } from '#gateway/payment.ts'
import { presentOperation, presentParts, presentPayment } from '#gateway/present-payment.ts'
import { terminalBody } from '#gateway/terminal-callback.ts'
import type { SandboxSettings } from '#settings.ts'

type Signer = Pick<SandboxSettings, 'projectId' | 'secret'>

export type News = { payment: Payment; operation: Operation; format: CallbackFormat; signer: Signer }

/** The merchant's default format («format 1»). */
const merchantBody = ({ payment, operation, signer }: News): object => ({
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

const signed = (news: News, secret = news.signer.secret): string => {
  if (news.format === 'terminal') {
    return JSON.stringify(withGeneralSignature(terminalBody(news), secret))
  }
  const body = merchantBody(news)
  return JSON.stringify(
    news.format === 'merchant'
      ? { ...body, signature: signatureOf(body, secret) }
      : withGeneralSignature(body, secret),
  )
}

/** Signed as it is now: a later try delivers the same text. */
export const presentCallback = (news: News): string => signed(news)

/** What could have been sent before the outcome was known, for a shop that must not believe it any more. */
export const presentEarlier = (news: News): string => {
  const { authCode, eci, ...undecided } = news.operation
  const updatedAt = news.operation.createdAt
  const operation: Operation = { ...undecided, status: 'processing', code: '9999', updatedAt }
  const { errors, ...unfinished } = news.payment
  return signed({ ...news, operation, payment: { ...unfinished, status: 'processing', updatedAt } })
}

/** A success that nobody vouches for: signed with a secret that is not the project's. */
export const presentForgery = (news: News): string => {
  const { errors, wait, ...paid } = news.payment
  const operation: Operation = { ...news.operation, status: 'success', code: '0' }
  return signed({ ...news, operation, payment: { ...paid, status: 'success' } }, `not ${news.signer.secret}`)
}

/** A success of one minor unit, truly signed: not what was ordered, and not to be delivered for. */
export const presentWrongSum = (news: News): string => {
  const { errors, wait, ...paid } = news.payment
  const operation: Operation = { ...news.operation, status: 'success', code: '0', amount: 1 }
  return signed({ ...news, operation, payment: { ...paid, status: 'success', amount: 1, remaining: 1 } })
}
