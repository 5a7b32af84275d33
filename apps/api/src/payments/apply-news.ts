import { canMoveOrder } from '@hedgerow/domain/order-moves'
import { canMovePayment, isFinal, type PaymentStatus } from '@hedgerow/domain/payment-moves'
import type { Transaction, Updateable } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { findRoom } from '#nodes/find-room.ts'
import { claimWaiting } from '#nodes/node-watch.queries.ts'
import { expectMethodDone } from './challenge.ts'
import { completePurchase } from './complete-purchase.ts'
import { detailsOf, type GateDetails, type GateNews } from './gate-news.ts'
import { checkAgain } from './payment-checks.queries.ts'
import { findPayment, movePayment, type PaymentWithOrder } from './payments.queries.ts'
import type { PaymentsTable } from './payments.table.ts'
import {
  AUTHORISATION_FINISHED,
  AUTHORISATION_STARTED,
  answerKey,
  isAskedOnce,
  type Prescription,
  textOf,
} from './prescription.ts'
import { recordRefund, settleRefunds } from './refunds.ts'

type Deps = Pick<Dependencies, 'db' | 'keyCipher' | 'settings' | 'meters' | 'log'>

/** 'too-early': news of a refund have overtaken those of the success. The gateway is asked, and may tell again. */
export type Outcome = 'applied' | 'nothing-new' | 'unknown-payment' | 'does-not-match' | 'too-early'

/** The gateway's refusal of a repeated id says nothing of the payment that has the id. */
const ID_KNOWN = '3041'

const NO_PRESCRIPTION = JSON.stringify({ kind: 'none' })

const matches = (row: PaymentWithOrder, news: GateNews): boolean =>
  (news.amountMinor === undefined || news.amountMinor === row.charged_minor) &&
  (news.currency === undefined || news.currency === row.charged_currency)

/** A success without a sum is not one: nothing says that it is for this order. */
const provesSuccess = (news: GateNews) => news.amountMinor !== undefined && news.currency !== undefined

const isSamePrescription = ({ prescription }: PaymentWithOrder, news: GateNews): boolean =>
  news.prescription === undefined || textOf(prescription) === textOf(news.prescription)

/**
 * Whether the news ask again what was answered. The gateway may mean it, where the answer was wrong: it does if it says
 * so later than before, or when it is asked after it took the answer.
 */
const wasAnswered = (row: PaymentWithOrder, news: GateNews, answeredBefore?: string | null): boolean => {
  const isMeant =
    answeredBefore === row.answered ||
    (news.at !== undefined && row.news_at !== null && news.at > row.news_at)
  if (news.status === 'awaiting merchant auth') return row.answered === AUTHORISATION_FINISHED && !isMeant
  if (!news.prescription || answerKey(news.prescription) !== row.answered) return false
  return isAskedOnce(news.prescription) || !isMeant
}

/** Whether the news say something that the row does not know yet. Callbacks repeat, and overtake each other. */
const isNew = (row: PaymentWithOrder, news: GateNews, answeredBefore?: string | null): boolean => {
  if (news.status === 'Error' && news.code === ID_KNOWN) return false
  if (isFinal(news.status)) return canMovePayment(row.status, news.status)
  if (isFinal(row.status)) return false
  if (wasAnswered(row, news, answeredBefore)) return false
  if (news.at && row.news_at && news.at < row.news_at) return false
  if (row.status === news.status) return !isSamePrescription(row, news)
  // 'processing' of the same second as a prescription came before it.
  const isSameSecond = row.news_at !== null && news.at?.getTime() === row.news_at.getTime()
  return !(news.status === 'processing' && isSameSecond) && canMovePayment(row.status, news.status)
}

const ended = (row: PaymentWithOrder, status: PaymentStatus, details: GateDetails) => ({
  ...details,
  status,
  prescription: NO_PRESCRIPTION,
  ended_at: row.now,
  next_check_at: null,
})

/** Money came that buys nothing: that is recorded with `change`, and with it that what is left of it goes back. */
const giveBack = (
  deps: Deps,
  row: PaymentWithOrder,
  change: Updateable<PaymentsTable>,
  reason: 'paid-twice' | 'account-erased',
): Promise<boolean> => {
  deps.log.warn(
    { paymentId: row.id, orderId: row.order_id, reason },
    'a payment buys nothing and is refunded',
  )
  return deps.db.transaction().execute(async (trx) => {
    const isMoved = await movePayment(trx, row, { ...change, refund_due: true })
    if (isMoved) await recordRefund(trx, row, row.charged_minor - row.refunded_minor, reason)
    return isMoved
  })
}

/** Not left to the queue's own retries, whose pauses grow to hours: the operator may make room at any time. */
const TRY_DELIVERY_AGAIN_S = 30

const queueDelivery = (db: Db, paymentId: string): Promise<void> =>
  addJob(
    db,
    'deliver-payment',
    { paymentId },
    { key: `deliver:${paymentId}`, inSeconds: TRY_DELIVERY_AGAIN_S },
  )

/** At once, and then once an hour while any order waits. */
const tellOfWaiting = async (trx: Transaction<Database>, paymentId: string): Promise<void> => {
  if (await claimWaiting(trx)) await addJob(trx, 'mail-order-waits', { paymentId })
}

/** Every node is full: the success is recorded, and the delivery queued. A paid order waits, it is never lost. */
const recordUndelivered = (deps: Deps, row: PaymentWithOrder, details: GateDetails): Promise<boolean> => {
  deps.log.error(
    { paymentId: row.id, connections: row.connections },
    'every node is full: a paid order waits',
  )
  return deps.db.transaction().execute(async (trx) => {
    const isMoved = await movePayment(trx, row, ended(row, 'Success', details), 'Completed')
    if (!isMoved) return false
    await queueDelivery(trx, row.id)
    await tellOfWaiting(trx, row.id)
    return true
  })
}

/** Where the first node has no room, on the first that has. 'no-room': there is none. */
const deliver = async (
  deps: Deps,
  row: PaymentWithOrder,
  details: GateDetails,
): Promise<'completed' | 'changed' | 'no-room'> => {
  const start = performance.now()
  // One that had to wait for room succeeded before.
  const waitedMs = row.status === 'Success' && row.ended_at ? row.now.getTime() - row.ended_at.getTime() : 0
  let nodeId: string | undefined
  for (;;) {
    const completion = await completePurchase(deps, row, details, nodeId)
    if (completion === 'completed') deps.meters.delivered((waitedMs + performance.now() - start) / 1000)
    if (completion === 'completed' || completion === 'changed') return completion
    nodeId = await findRoom(deps, completion.roomFor, row.plan_id)
    if (!nodeId) return 'no-room'
  }
}

/** False when the payment has changed meanwhile. */
const applySuccess = async (deps: Deps, row: PaymentWithOrder, details: GateDetails): Promise<boolean> => {
  const paid = ended(row, 'Success', details)
  if (row.order_status === 'Completed') return giveBack(deps, row, paid, 'paid-twice')
  if (!row.customer_id) return giveBack(deps, row, paid, 'account-erased')
  const completion = await deliver(deps, row, details)
  return completion === 'no-room' ? recordUndelivered(deps, row, details) : completion === 'completed'
}

/** So long the customer's page may take to be told of a decline, before a mail tells it. */
const TELL_BY_MAIL_S = 60

/** False when the payment has changed meanwhile. */
const applyFailure = (
  deps: Deps,
  row: PaymentWithOrder,
  change: Updateable<PaymentsTable>,
): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    // An attempt that was left for another one says nothing of the order.
    const isRejected = !row.abandoned_at && canMoveOrder(row.order_status, 'Rejected')
    const orderStatus = isRejected ? 'Rejected' : row.order_status
    const isMoved = await movePayment(trx, row, change, orderStatus)
    if (isMoved && !row.abandoned_at) {
      const key = `declined:${row.id}`
      await addJob(trx, 'mail-declined', { paymentId: row.id }, { key, inSeconds: TELL_BY_MAIL_S })
    }
    return isMoved
  })

/** Late news do not bring back the name of someone whose account is erased. */
const detailsFor = (row: PaymentWithOrder, news: GateNews): GateDetails =>
  row.customer_id ? detailsOf(news) : { ...detailsOf(news), card_holder: null }

/** The gateway gives nothing with its wish for an authorisation: the first time it is to be started, then finished. */
const prescriptionFor = (row: PaymentWithOrder, news: GateNews): Prescription | undefined => {
  if (news.status !== 'awaiting merchant auth') return news.prescription
  const isStarted = row.answered === AUTHORISATION_STARTED || row.answered === AUTHORISATION_FINISHED
  return { kind: 'authorisation', stage: isStarted ? 'finish' : 'start' }
}

const apply = async (deps: Deps, row: PaymentWithOrder, news: GateNews): Promise<boolean> => {
  const details = detailsFor(row, news)
  if (news.status === 'Success') return applySuccess(deps, row, details)
  if (isFinal(news.status)) return applyFailure(deps, row, ended(row, news.status, details))
  const next = prescriptionFor(row, news)
  const prescription = next ? JSON.stringify(next) : NO_PRESCRIPTION
  const change = { ...details, prescription, status: news.status }
  if (next?.kind !== 'method') return movePayment(deps.db, row, change)
  return deps.db.transaction().execute(async (trx) => {
    const isMoved = await movePayment(trx, row, change)
    if (isMoved) await expectMethodDone(trx, row.id)
    return isMoved
  })
}

const applySaleNews = async (
  deps: Deps,
  news: GateNews,
  answeredBefore?: string | null,
): Promise<Outcome> => {
  for (;;) {
    const row = await findPayment(deps.db, news.paymentId)
    if (!row) return 'unknown-payment'
    if (!matches(row, news)) return 'does-not-match'
    if (!isNew(row, news, answeredBefore)) return 'nothing-new'
    if (news.status === 'Success' && !provesSuccess(news)) return 'does-not-match'
    if (await apply(deps, row, news)) return 'applied'
  }
}

const applyRefundNews = async (deps: Deps, { paymentId, refunds }: GateNews): Promise<Outcome> => {
  const row = await findPayment(deps.db, paymentId)
  if (!row) return 'unknown-payment'
  if (refunds.some(({ currency = row.charged_currency }) => currency !== row.charged_currency))
    return 'does-not-match'
  if (row.status === 'Success')
    return (await settleRefunds(deps, paymentId, refunds)) ? 'applied' : 'nothing-new'
  if (!refunds.some(({ status }) => status === 'success')) return 'nothing-new'
  await checkAgain(deps.db, paymentId, 0)
  return 'too-early'
}

/**
 * Moves a payment to what the gateway says, and with a success its order and connections; then its refunds. Each step
 * starts from the state that was read; whoever comes second reads again and finds nothing new.
 * `answeredBefore`: the question that had been answered last when the gateway was asked for these news.
 */
export const applyNews = async (
  deps: Deps,
  news: GateNews,
  answeredBefore?: string | null,
): Promise<Outcome> => {
  if (news.areOfRefundsOnly) return applyRefundNews(deps, news)
  const outcome = await applySaleNews(deps, news, answeredBefore)
  if (outcome === 'unknown-payment' || outcome === 'does-not-match') return outcome
  const isSettled = await settleRefunds(deps, news.paymentId, news.refunds)
  return isSettled ? 'applied' : outcome
}

/**
 * Ends an attempt that never became a payment at the gateway. Does nothing to one of which the gateway has told. The
 * checks go on for a while: a request that was lost on the way may arrive after all.
 */
export const endAsError = async (deps: Deps, paymentId: string, code: string): Promise<void> => {
  for (;;) {
    const row = await findPayment(deps.db, paymentId)
    if (!row || isFinal(row.status) || row.news_at) return
    // Told without a date; the gateway's own page alone is prescribed by us.
    if (row.status !== 'Pending' && row.gate_request_id) return
    const { next_check_at, ...change } = ended(row, 'Error', { gate_code: code })
    if (await applyFailure(deps, row, change)) return
  }
}

/** Tries again to deliver a paid order that had to wait for room, and plans the next try while there is none. */
export const deliverWaiting = async (deps: Deps, paymentId: string): Promise<void> => {
  const row = await findPayment(deps.db, paymentId)
  if (row?.status !== 'Success' || row.delivered_at || row.refund_due) return
  // Given back while it waited.
  if (row.refunded_minor === row.charged_minor) return
  if (!row.customer_id) {
    const isRecorded = await giveBack(deps, row, {}, 'account-erased')
    return isRecorded ? undefined : queueDelivery(deps.db, paymentId)
  }
  const delivery = await deliver(deps, row, {})
  if (delivery === 'completed') return
  await deps.db.transaction().execute(async (trx) => {
    await queueDelivery(trx, paymentId)
    if (delivery !== 'changed') await tellOfWaiting(trx, paymentId)
  })
}
