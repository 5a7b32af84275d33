import { randomInt, randomUUID } from 'node:crypto'
import { endingOf, failureOf, otherSum } from '#gateway/endings.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { CHALLENGES, NEXT_ACTIONS } from '#next-actions/next-actions.ts'
import type { Code } from '#payments/codes.ts'
import { GateError } from '#payments/gate-error.ts'
import type { NextActionName } from '#payments/next-action.ts'
import {
  type Operation,
  type Payment,
  type PaymentStatus,
  saleOf,
  type WaitingPayment,
} from '#payments/payment.ts'

const MINUTE_MS = 60_000

/** Takes an accepted sale further: to its next action, or to its end. */
export const advanceSale = (gateway: Gateway, payment: Payment): void => {
  const [action] = payment.plan.actions
  if (payment.errors) refuseToStart(gateway, payment)
  else if (action) startWaiting(gateway, payment, action)
  else finishSale(gateway, payment, payment.plan.code)
}

const refuseToStart = (gateway: Gateway, payment: Payment): void => {
  const sale = saleOf(payment)
  payment.status = 'error'
  Object.assign(sale, { status: 'decline', updatedAt: Date.now() })
  gateway.publish(payment, sale)
}

const fail = (gateway: Gateway, payment: Payment, status: PaymentStatus, code: Code): void => {
  const sale = saleOf(payment)
  Object.assign(sale, { status: 'decline', code, updatedAt: Date.now() })
  payment.status = status
  gateway.publish(payment, sale)
}

const finishSale = (gateway: Gateway, payment: Payment, code: Code): void => {
  const { faults } = gateway
  const ending = endingOf(faults, payment)
  const failure = failureOf(ending) ?? (code === '0' ? undefined : { status: 'decline', code })
  // What only a success can be struck by strikes no decline.
  if (ending && (failureOf(ending) || !failure)) faults.count(ending)
  if (failure) fail(gateway, payment, failure.status, failure.code)
  else succeed(gateway, payment, ending)
}

const succeed = (gateway: Gateway, payment: Payment, ending: ReturnType<typeof endingOf>): void => {
  const sale = saleOf(payment)
  Object.assign(sale, { status: 'success', code: '0', updatedAt: Date.now() })
  sale.authCode = String(randomInt(1_000_000)).padStart(6, '0')
  // As Visa writes that the issuer vouches for the card holder, or was not asked; and as Mastercard does.
  if (payment.account) {
    const [authenticated, not] = payment.account.number.startsWith('4') ? ['05', '07'] : ['02', '00']
    sale.eci = payment.challengesMade > 0 || payment.plan.isFrictionless ? authenticated : not
  }
  const received = otherSum(gateway.faults, payment, ending)
  if (received) Object.assign(payment, { received, remaining: received.amount })
  const isPromised =
    payment.plan.isConfirmedLater || gateway.faults.strikesPayment(payment.id, 'confirmLater')
  payment.status = isPromised ? 'awaiting confirmation' : paidStatus(payment, ending)
  gateway.publish(payment, sale)
  if (isPromised) confirmLater(gateway, payment)
}

const paidStatus = (payment: Payment, ending: ReturnType<typeof endingOf>): PaymentStatus =>
  payment.received && ending === 'endPartlyPaid' ? 'partially paid' : 'success'

/** A promise is kept, or not, as long after it as is set. */
export const confirmLater = (gateway: Gateway, payment: Payment): void => {
  const afterMs = gateway.faults.switches.confirmAfterMs
  const confirm = () => confirmFunds(gateway, payment)
  if (afterMs === null) gateway.later(confirm)
  else gateway.delays.after(afterMs, confirm)
}

/** The money that a successful sale promised has arrived, or never does. */
const confirmFunds = (gateway: Gateway, payment: Payment): void => {
  const { faults } = gateway
  const isNever = faults.strikesPayment(payment.id, 'confirmNever')
  if (isNever) faults.count('confirmNever')
  const now = Date.now()
  const confirmation: Operation = {
    id: gateway.nextOperationId(),
    type: 'payment confirmation',
    status: isNever ? 'decline' : 'success',
    code: isNever ? '20602' : '0',
    amount: payment.amount,
    requestId: saleOf(payment).requestId,
    createdAt: now,
    updatedAt: now,
  }
  payment.operations.push(confirmation)
  payment.status = isNever ? 'reversed' : paidStatus(payment, endingOf(faults, payment))
  gateway.publish(payment, confirmation)
}

const startWaiting = (gateway: Gateway, payment: Payment, action: NextActionName): void => {
  const { status, show } = NEXT_ACTIONS[action]
  const id = randomUUID()
  if (CHALLENGES.has(action)) payment.challengesMade += 1
  const { publicUrl, settings } = gateway
  const shown = show({ payment, id, publicUrl, projectId: settings.projectId })
  payment.wait = { id, action, since: Date.now(), shown }
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
    gateway.delays.after(Math.max(left, 1), () => {
      declineIfLate(gateway, payment)
      // A timer may fire a millisecond before the clock has got there.
      if (payment.wait) armTimeout(gateway, payment)
    }),
  )
}

/** A customer who stays away loses the payment. Also called before every answer: timers may run late. */
export const declineIfLate = (gateway: Gateway, payment: Payment): void => {
  if (!payment.wait || Date.now() < payment.wait.since + timeoutMs(gateway)) return
  const { lateCode } = NEXT_ACTIONS[payment.wait.action]
  stopWaiting(gateway, payment)
  finishSale(gateway, payment, lateCode)
}

/** A payment that waits, for just that action if it is named. */
export const getWaiting = (gateway: Gateway, id: string, action?: NextActionName): WaitingPayment => {
  const payment = gateway.getPayment(id)
  declineIfLate(gateway, payment)
  const isWaiting = payment.wait && (!action || payment.wait.action === action)
  if (!isWaiting) throw new GateError(400, '3060')
  return payment as WaitingPayment
}

const stopWaiting = (gateway: Gateway, payment: Payment): void => {
  payment.wait = undefined
  gateway.waitTimers.get(payment.id)?.()
  gateway.waitTimers.delete(payment.id)
}

/** What was waited for has come; the sale goes on as planned, or ends with the code of a refusal. */
export const completeAction = (
  gateway: Gateway,
  payment: Payment,
  refusal?: Code,
  isAtOnce = false,
): void => {
  const [completed, ...rest] = payment.plan.actions
  const isAskedAgain =
    !refusal &&
    completed &&
    CHALLENGES.has(completed) &&
    payment.challengesMade === 1 &&
    gateway.faults.strikesPayment(payment.id, 'secondChallenge')
  const actions = isAskedAgain ? [completed, ...rest] : rest
  payment.plan = refusal ? { actions: [], code: refusal } : { ...payment.plan, actions }
  stopWaiting(gateway, payment)
  payment.status = 'processing'
  Object.assign(saleOf(payment), { status: 'processing', updatedAt: Date.now() })
  gateway.books.save(payment)
  if (isAtOnce) advanceSale(gateway, payment)
  else gateway.later(() => advanceSale(gateway, payment))
}
