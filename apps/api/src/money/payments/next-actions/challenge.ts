import type { NextAction } from '@hedgerow/domain/next-action'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import { answerKey } from '#money/gateway/next-action.ts'
import { restartedChecks } from '#money/gateway/status-checks.ts'
import { findPayment, updatePaymentIfUnchanged } from '#money/payments/payments.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

/** The issuer's page may spell its fields PaRes or pares, MD or md, cres or CRes. */
const fieldOf = (form: Record<string, unknown>, name: string): string | undefined => {
  const value = Object.entries(form).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : undefined
}

type Result = { pares: string; md: string } | { cres: string }

/** What the form answers of the question that is open; undefined when it answers another one, or none. */
const resultOf = (nextAction: NextAction, form: Record<string, unknown>): Result | undefined => {
  const [pares, md, cres] = [fieldOf(form, 'pares'), fieldOf(form, 'md'), fieldOf(form, 'cres')]
  if (nextAction.kind === 'challenge') return pares && md === nextAction.md ? { pares, md } : undefined
  if (nextAction.kind !== 'challenge-2' || !cres) return undefined
  const session = fieldOf(form, 'threedssessiondata') ?? ''
  return session === nextAction.sessionData ? { cres } : undefined
}

/**
 * Takes what the issuer's page sent with the customer. It decides nothing: it is passed on, once per challenge, and the
 * gateway says what came of it. Anything that is not the answer to the challenge that is open changes nothing.
 * Throws 'payment-not-found'.
 */
export const takeChallengeResult = async (
  { db }: With<'db'>,
  paymentId: string,
  form: Record<string, unknown>,
): Promise<void> => {
  const row = await findPayment(db, paymentId)
  if (!row) throw new Problem('payment-not-found')
  const { status, next_action: nextAction } = row
  if (status !== 'awaiting 3ds result' || nextAction.kind === 'none') return
  const result = resultOf(nextAction, form)
  if (!result) return
  const change = {
    ...restartedChecks(row),
    status: 'processing',
    answered: answerKey(nextAction),
    challenge_answered_at: row.now,
  } as const
  await db.transaction().execute(async (trx) => {
    const isUpdated = await updatePaymentIfUnchanged(trx, row, change)
    if (isUpdated) await addJob(trx, 'send-challenge-result', { paymentId, ...result }, { maxAttempts: 20 })
  })
}

/** Throws when the gateway gave no answer, so that the job comes again; a repeat that it refuses has been heard. */
export const sendChallengeResult = async (
  { gateways, log }: With<'log'> & GatewayDependencies,
  { paymentId, ...result }: { paymentId: string } & Result,
): Promise<void> => {
  const answer = await gateways.gate.challengeResult(paymentId, result)
  if (answer.kind === 'unknown')
    throw new Error(`the gateway did not take a 3-D Secure result: ${answer.reason}`)
  if (answer.kind === 'refused')
    log.warn({ paymentId, code: answer.code }, 'the gateway refused a 3-D Secure result')
}

/**
 * The issuer's server says that it has looked at the browser (3-D Secure 2, extended flow). The gateway waits for it,
 * and goes on without it after its time. Throws 'payment-not-found'.
 */
export const takeMethodDone = async ({ db }: With<'db'>, paymentId: string): Promise<void> => {
  const row = await findPayment(db, paymentId)
  if (!row) throw new Problem('payment-not-found')
  if (row.status !== 'awaiting 3ds result' || row.next_action.kind !== 'method') return
  await addJob(db, 'send-method-done', { paymentId, isDone: true }, methodJob(paymentId, 0))
}

/** One job per payment: the notice of the issuer's server replaces the one that waits for it in vain. */
const methodJob = (paymentId: string, inSeconds: number) => ({ key: `3ds-method:${paymentId}`, inSeconds })

/** So long the issuer's server may take (EMV 3DS). */
const METHOD_S = 10

export const expectMethodDone = (db: Db, paymentId: string): Promise<void> =>
  addJob(db, 'send-method-done', { paymentId, isDone: false }, methodJob(paymentId, METHOD_S))

/** Throws when the gateway gave no answer, so that the job comes again. */
export const sendMethodDone = async (
  { db, gateways, log }: With<'db' | 'log'> & GatewayDependencies,
  { paymentId, isDone }: { paymentId: string; isDone: boolean },
): Promise<void> => {
  const row = await findPayment(db, paymentId)
  if (row?.status !== 'awaiting 3ds result' || row.next_action.kind !== 'method') return
  const answer = await gateways.gate.methodDone(paymentId, isDone)
  if (answer.kind === 'unknown') throw new Error(`the gateway did not take a 3DS method: ${answer.reason}`)
  if (answer.kind === 'refused')
    log.warn({ paymentId, code: answer.code }, 'the gateway refused a 3-D Secure method result')
  // Unless its next update has been faster.
  const answered = answerKey(row.next_action)
  await updatePaymentIfUnchanged(db, row, { ...restartedChecks(row), status: 'processing', answered })
}
