import { randomInt, randomUUID } from 'node:crypto'
import type { Code } from '#gateway/codes.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { type Operation, type Payment, saleOf } from '#gateway/payment.ts'

const MINUTE_MS = 60_000

/** Decides an accepted sale: the card holder is asked first where the plan says so. */
export const settleSale = (gateway: Gateway, payment: Payment, sale: Operation): void => {
  if (payment.errors) {
    payment.status = 'error'
    sale.status = 'decline'
    sale.updatedAt = Date.now()
    gateway.publish(payment, sale)
    return
  }
  if (payment.plan.challenge) askCardHolder(gateway, payment, sale)
  else finishSale(gateway, payment, payment.plan.code)
}

const finishSale = (gateway: Gateway, payment: Payment, code: Code): void => {
  const sale = saleOf(payment)
  const status = code === '0' ? 'success' : 'decline'
  Object.assign(sale, { status, code, updatedAt: Date.now() })
  if (status === 'success') {
    sale.authCode = String(randomInt(1_000_000)).padStart(6, '0')
    // 05: the card holder was authenticated; 07: nobody was asked.
    sale.eci = payment.challengesMade > 0 ? '05' : '07'
  }
  payment.status = status
  gateway.publish(payment, sale)
}

const askCardHolder = (gateway: Gateway, payment: Payment, sale: Operation): void => {
  const since = Date.now()
  const id = randomUUID()
  const md = {
    purchase_operation_id: sale.id,
    project_id: gateway.settings.projectId,
    payment_id: payment.id,
    try: id,
  }
  payment.challenge = {
    id,
    acsUrl: `${gateway.publicUrl}/acs`,
    paReq: base64Json({ payment_id: payment.id, challenge: id }),
    md: base64Json(md),
    since,
  }
  payment.challengesMade += 1
  payment.status = 'awaiting 3ds result'
  Object.assign(sale, { status: payment.status, code: '9999', updatedAt: since })
  armChallengeTimeout(gateway, payment)
  gateway.publish(payment, sale)
}

const base64Json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

const timeoutMs = (gateway: Gateway): number => gateway.settings.accessTimeoutMinutes * MINUTE_MS

export const armChallengeTimeout = (gateway: Gateway, payment: Payment): void => {
  const left = (payment.challenge?.since ?? 0) + timeoutMs(gateway) - Date.now()
  gateway.challengeTimers.get(payment.id)?.()
  gateway.challengeTimers.set(
    payment.id,
    gateway.delays.after(Math.max(left, 1), () => declineIfLate(gateway, payment)),
  )
}

/** A card holder who stays away loses the payment. Also asked before every answer: timers may run late. */
export const declineIfLate = (gateway: Gateway, payment: Payment): void => {
  if (!payment.challenge || Date.now() < payment.challenge.since + timeoutMs(gateway)) return
  endChallenge(gateway, payment)
  finishSale(gateway, payment, '108')
}

/** The card holder is back: what the bank said replaces the plan, and the sale goes on. */
export const takeBankAnswer = (gateway: Gateway, payment: Payment, approved: boolean): void => {
  const isAskedAgain = approved && gateway.faults.secondChallenge && payment.challengesMade === 1
  payment.plan = { challenge: isAskedAgain, code: approved ? payment.plan.code : '104' }
  endChallenge(gateway, payment)
  const sale = saleOf(payment)
  payment.status = 'processing'
  Object.assign(sale, { status: 'processing', updatedAt: Date.now() })
  gateway.books.save(payment)
  gateway.later(() => settleSale(gateway, payment, sale))
}

const endChallenge = (gateway: Gateway, payment: Payment): void => {
  payment.challenge = undefined
  gateway.challengeTimers.get(payment.id)?.()
  gateway.challengeTimers.delete(payment.id)
}
