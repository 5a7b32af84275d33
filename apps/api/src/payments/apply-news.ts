import { canMoveOrder } from '@hedgerow/domain/order-moves'
import { canMovePayment, isFinal, type PaymentStatus } from '@hedgerow/domain/payment-moves'
import { findRoom } from '#connections/find-room.ts'
import type { Db } from '#database/client.ts'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { completePurchase } from './complete-purchase.ts'
import { detailsOf, type GateDetails, type GateNews } from './gate-news.ts'
import { findPayment, movePayment, type PaymentWithOrder } from './payments.queries.ts'

type Deps = Pick<Dependencies, 'db' | 'keyCipher' | 'settings' | 'log'>

export type Outcome = 'applied' | 'nothing-new' | 'unknown-payment' | 'does-not-match'

/** The gateway's refusal of a repeated id says nothing of the payment that has the id. */
const ID_KNOWN = '3041'

const NO_PRESCRIPTION = JSON.stringify({ kind: 'none' })

const matches = (row: PaymentWithOrder, news: GateNews): boolean =>
  (news.amountMinor === undefined || news.amountMinor === row.amount_minor) &&
  (news.currency === undefined || news.currency === row.currency)

/** A success without a sum is not one: nothing says that it is for this order. */
const provesSuccess = (news: GateNews) => news.amountMinor !== undefined && news.currency !== undefined

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

const isSamePrescription = ({ prescription }: PaymentWithOrder, news: GateNews): boolean =>
  news.prescription === undefined ||
  JSON.stringify(sorted(prescription)) === JSON.stringify(sorted(news.prescription))

/** Whether the news say something that the row does not know yet. Callbacks repeat, and overtake each other. */
const isNew = (row: PaymentWithOrder, news: GateNews): boolean => {
  if (news.status === 'Error' && news.code === ID_KNOWN) return false
  if (isFinal(news.status)) return canMovePayment(row.status, news.status)
  if (isFinal(row.status)) return false
  if (news.prescription?.kind === 'challenge' && news.prescription.md === row.answered_md) return false
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

/** Money came that buys nothing: it is recorded, and to be given back. */
const recordRefundDue = (
  deps: Deps,
  row: PaymentWithOrder,
  details: GateDetails,
  why: string,
): Promise<boolean> => {
  deps.log.error({ paymentId: row.id, orderId: row.order_id }, `${why}: a refund is due`)
  return movePayment(deps.db, row, { ...ended(row, 'Success', details), refund_due: true })
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

/** Every node is full: the success is recorded, and the delivery queued. A paid order waits, it is never lost. */
const recordUndelivered = (deps: Deps, row: PaymentWithOrder, details: GateDetails): Promise<boolean> => {
  deps.log.error({ paymentId: row.id }, 'every node is full: a paid order waits')
  return deps.db.transaction().execute(async (trx) => {
    const isMoved = await movePayment(trx, row, ended(row, 'Success', details), 'Completed')
    if (isMoved) await queueDelivery(trx, row.id)
    return isMoved
  })
}

/** False when the payment has changed meanwhile. */
const applySuccess = async (deps: Deps, row: PaymentWithOrder, details: GateDetails): Promise<boolean> => {
  if (row.order_status === 'Completed') return recordRefundDue(deps, row, details, 'an order was paid twice')
  if (!row.customer_id) return recordRefundDue(deps, row, details, 'an erased account paid')
  let nodeId: string | undefined
  for (;;) {
    const completion = await completePurchase(deps, row, details, nodeId)
    if (completion !== 'no-room') return completion === 'completed'
    nodeId = await findRoom(deps, row.connections)
    if (!nodeId) return recordUndelivered(deps, row, details)
  }
}

/** False when the payment has changed meanwhile. */
const applyFailure = (deps: Deps, row: PaymentWithOrder, status: PaymentStatus, details: GateDetails) => {
  const orderStatus = canMoveOrder(row.order_status, 'Rejected') ? 'Rejected' : row.order_status
  return movePayment(deps.db, row, ended(row, status, details), orderStatus)
}

/** Late news do not bring back the name of someone whose account is erased. */
const detailsFor = (row: PaymentWithOrder, news: GateNews): GateDetails =>
  row.customer_id ? detailsOf(news) : { ...detailsOf(news), card_holder: null }

const apply = (deps: Deps, row: PaymentWithOrder, news: GateNews): Promise<boolean> => {
  const details = detailsFor(row, news)
  if (news.status === 'Success') return applySuccess(deps, row, details)
  if (isFinal(news.status)) return applyFailure(deps, row, news.status, details)
  const prescription = news.prescription ? { prescription: JSON.stringify(news.prescription) } : {}
  return movePayment(deps.db, row, { ...details, ...prescription, status: news.status })
}

/**
 * Moves a payment to what the gateway says, and with a success its order and connections. Each step is one statement
 * that starts from the state that was read; whoever comes second reads again and finds nothing new.
 */
export const applyNews = async (deps: Deps, news: GateNews): Promise<Outcome> => {
  for (;;) {
    const row = await findPayment(deps.db, news.paymentId)
    if (!row) return 'unknown-payment'
    if (!matches(row, news) || (news.status === 'Success' && !provesSuccess(news))) return 'does-not-match'
    if (!isNew(row, news)) return 'nothing-new'
    if (await apply(deps, row, news)) return 'applied'
  }
}

/** Ends an attempt that never became a payment at the gateway. Does nothing to one that has ended. */
export const endAsError = async (deps: Deps, paymentId: string, code: string): Promise<void> => {
  for (;;) {
    const row = await findPayment(deps.db, paymentId)
    if (!row || isFinal(row.status)) return
    if (await applyFailure(deps, row, 'Error', { gate_code: code })) return
  }
}

/** Tries again to deliver a paid order that had to wait for room, and plans the next try while there is none. */
export const deliverWaiting = async (deps: Deps, paymentId: string): Promise<void> => {
  const row = await findPayment(deps.db, paymentId)
  if (row?.status !== 'Success' || row.delivered_at || row.refund_due) return
  if (!row.customer_id) {
    const isRecorded = await recordRefundDue(deps, row, {}, 'an erased account waited for its connections')
    return isRecorded ? undefined : queueDelivery(deps.db, paymentId)
  }
  const nodeId = await findRoom(deps, row.connections)
  const completion = nodeId && (await completePurchase(deps, row, {}, nodeId))
  if (completion !== 'completed') await queueDelivery(deps.db, paymentId)
}
