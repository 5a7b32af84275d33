import { randomInt, randomUUID } from 'node:crypto'
import type { Code } from '#gateway/codes.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { type Operation, type Payment, saleOf } from '#gateway/payment.ts'
import { CHALLENGES, STEPS } from '#steps/all-steps.ts'
import type { StepName } from '#steps/step.ts'

const MINUTE_MS = 60_000

/** Takes an accepted sale one step further: to whoever is asked next, or to its end. */
export const goOn = (gateway: Gateway, payment: Payment): void => {
  const [step] = payment.plan.steps
  if (payment.errors) refuseToStart(gateway, payment)
  else if (step) startWaiting(gateway, payment, step)
  else finishSale(gateway, payment, payment.plan.code)
}

const refuseToStart = (gateway: Gateway, payment: Payment): void => {
  const sale = saleOf(payment)
  payment.status = 'error'
  Object.assign(sale, { status: 'decline', updatedAt: Date.now() })
  gateway.publish(payment, sale)
}

export const finishSale = (gateway: Gateway, payment: Payment, code: Code): void => {
  const sale = saleOf(payment)
  const status = code === '0' ? 'success' : 'decline'
  Object.assign(sale, { status, code, updatedAt: Date.now() })
  if (status === 'success') {
    sale.authCode = String(randomInt(1_000_000)).padStart(6, '0')
    // 05: the issuer vouches for the card holder; 07: nobody was asked.
    if (payment.account) sale.eci = payment.challengesMade > 0 || payment.plan.isFrictionless ? '05' : '07'
  }
  const isPromised = status === 'success' && payment.plan.isConfirmedLater
  payment.status = isPromised ? 'awaiting confirmation' : status
  gateway.publish(payment, sale)
  if (isPromised) gateway.later(() => confirmFunds(gateway, payment))
}

/** The money that a successful sale promised has arrived. */
export const confirmFunds = (gateway: Gateway, payment: Payment): void => {
  const now = Date.now()
  const confirmation: Operation = {
    id: gateway.nextOperationId(),
    type: 'payment confirmation',
    status: 'success',
    code: '0',
    amount: payment.amount,
    requestId: saleOf(payment).requestId,
    createdAt: now,
    updatedAt: now,
  }
  payment.operations.push(confirmation)
  payment.status = 'success'
  gateway.publish(payment, confirmation)
}

const startWaiting = (gateway: Gateway, payment: Payment, step: StepName): void => {
  const { status, show } = STEPS[step]
  const id = randomUUID()
  if (CHALLENGES.has(step)) payment.challengesMade += 1
  payment.wait = { id, step, since: Date.now(), shown: show({ gateway, payment, id }) }
  payment.status = status
  Object.assign(saleOf(payment), { status, code: '9999', updatedAt: payment.wait.since })
  armTimeout(gateway, payment)
  gateway.publish(payment, saleOf(payment))
}

const timeoutMs = (gateway: Gateway): number => gateway.settings.accessTimeoutMinutes * MINUTE_MS

export const armTimeout = (gateway: Gateway, payment: Payment): void => {
  const left = (payment.wait?.since ?? 0) + timeoutMs(gateway) - Date.now()
  gateway.waitTimers.get(payment.id)?.()
  gateway.waitTimers.set(
    payment.id,
    gateway.delays.after(Math.max(left, 1), () => declineIfLate(gateway, payment)),
  )
}

/** Whoever stays away loses the payment. Also asked before every answer: timers may run late. */
export const declineIfLate = (gateway: Gateway, payment: Payment): void => {
  if (!payment.wait || Date.now() < payment.wait.since + timeoutMs(gateway)) return
  const { lateCode } = STEPS[payment.wait.step]
  stopWaiting(gateway, payment)
  finishSale(gateway, payment, lateCode)
}

const stopWaiting = (gateway: Gateway, payment: Payment): void => {
  payment.wait = undefined
  gateway.waitTimers.get(payment.id)?.()
  gateway.waitTimers.delete(payment.id)
}

/** What was waited for has come; the sale goes on as planned, or ends with the code of a refusal. */
export const passStep = (gateway: Gateway, payment: Payment, refusal?: Code, isAtOnce = false): void => {
  const [passed, ...rest] = payment.plan.steps
  const isAskedAgain =
    !refusal &&
    passed &&
    CHALLENGES.has(passed) &&
    payment.challengesMade === 1 &&
    gateway.isStruck(payment.id, 'secondChallenge')
  const steps = isAskedAgain ? [passed, ...rest] : rest
  payment.plan = refusal ? { steps: [], code: refusal } : { ...payment.plan, steps }
  stopWaiting(gateway, payment)
  payment.status = 'processing'
  Object.assign(saleOf(payment), { status: 'processing', updatedAt: Date.now() })
  gateway.books.save(payment)
  if (isAtOnce) goOn(gateway, payment)
  else gateway.later(() => goOn(gateway, payment))
}
