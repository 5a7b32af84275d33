import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { Problem } from '#problems.ts'
import { findPayment, movePayment } from './payments.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

/** The issuer's page may spell its fields PaRes or pares, MD or md. */
const fieldOf = (form: Record<string, unknown>, name: string): string | undefined => {
  const value = Object.entries(form).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : undefined
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
  const pares = fieldOf(form, 'pares')
  const md = fieldOf(form, 'md')
  const row = await findPayment(db, paymentId)
  if (!row) throw new Problem('payment-not-found')
  const { status, prescription } = row
  if (
    status !== 'awaiting 3ds result' ||
    prescription.kind !== 'challenge' ||
    prescription.md !== md ||
    !pares
  )
    return
  await db.transaction().execute(async (trx) => {
    const isMoved = await movePayment(trx, row, { status: 'processing', answered_md: md })
    if (isMoved) await addJob(trx, 'send-challenge-result', { paymentId, md, pares }, { maxAttempts: 20 })
  })
}

/** Throws when the gateway gave no answer, so that the job comes again; a repeat that it refuses has been heard. */
export const sendChallengeResult = async (
  { gate, log }: With<'gate' | 'log'>,
  { paymentId, md, pares }: { paymentId: string; md: string; pares: string },
): Promise<void> => {
  const answer = await gate.challengeResult(paymentId, md, pares)
  if (answer.kind === 'unknown')
    throw new Error(`the gateway did not take a 3-D Secure result: ${answer.reason}`)
  if (answer.kind === 'refused')
    log.warn({ paymentId, code: answer.code }, 'the gateway refused a 3-D Secure result')
}
