import { daysAfter } from '@hedgerow/domain/dates'
import { canMoveOrder } from '@hedgerow/domain/order-moves'
import { canMovePayment, isFinal, type PaymentStatus } from '@hedgerow/domain/payment-moves'
import type { Transaction } from 'kysely'
import { deliver, findRoom, NoRoom } from '#connections/delivery.ts'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { featuresOf } from '#orders/orders.present.ts'
import type { GateNews } from './gate-news.ts'
import { type LockedPayment, lockPayment, updatePayment, updatePaymentAndOrder } from './payments.queries.ts'

type Deps = Pick<Dependencies, 'db' | 'keyCipher' | 'settings' | 'log'>
type Trx = Transaction<Database>

export type Outcome = 'applied' | 'nothing-new' | 'unknown-payment' | 'does-not-match'

/** The gateway's refusal of a repeated id says nothing of the payment that has the id. */
const ID_KNOWN = '3041'

const matches = (row: LockedPayment, news: GateNews): boolean =>
  (news.amountMinor === undefined || news.amountMinor === row.amount_minor) &&
  (news.currency === undefined || news.currency === row.currency)

/** A success without a sum is not one: nothing says that it is for this order. */
const provesSuccess = (news: GateNews) => news.amountMinor !== undefined && news.currency !== undefined

const isSamePrescription = (row: LockedPayment, news: GateNews): boolean =>
  news.prescription === undefined ||
  JSON.stringify(sorted(row.prescription)) === JSON.stringify(sorted(news.prescription))

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

/** Whether the news say something that the row does not know yet. Callbacks repeat, and overtake each other. */
const isNew = (row: LockedPayment, news: GateNews): boolean => {
  if (news.status === 'Error' && news.code === ID_KNOWN) return false
  if (isFinal(news.status)) return canMovePayment(row.status, news.status)
  if (isFinal(row.status)) return false
  if (news.prescription?.kind === 'challenge' && news.prescription.md === row.answered_md) return false
  if (news.at && row.news_at && news.at < row.news_at) return false
  if (row.status === news.status) return !isSamePrescription(row, news)
  // 'processing' of the same second as a prescription came before it.
  const isOvertaken =
    news.status === 'processing' && row.news_at !== null && news.at?.getTime() === row.news_at.getTime()
  return !isOvertaken && canMovePayment(row.status, news.status)
}

/** Where to deliver: the first open node, one that has room, or nowhere, since all are full. */
type Room = { nodeId?: string } | 'nowhere'

const deliverTo = (deps: Deps, trx: Trx, row: LockedPayment, nodeId: string | undefined): Promise<void> =>
  deliver(
    deps,
    trx,
    {
      paymentId: row.id,
      customerId: row.customer_id,
      count: row.connections,
      features: featuresOf(row),
      expiresAt: daysAfter(row.now, row.days),
    },
    nodeId,
  )

/** Delivers, or queues it when no node has room: a paid order waits, it is never lost. */
const deliverOrQueue = async (deps: Deps, trx: Trx, row: LockedPayment, room: Room): Promise<boolean> => {
  if (room !== 'nowhere') {
    await deliverTo(deps, trx, row, room.nodeId)
    return true
  }
  deps.log.error({ paymentId: row.id }, 'every node is full: a paid order waits')
  const options = { key: `deliver:${row.id}`, inSeconds: 10, maxAttempts: 1000 }
  await addJob(trx, 'deliver-payment', { paymentId: row.id }, options)
  return false
}

/** Runs the transaction; if the node it tries has no room, once more with one that has, or with nowhere. */
const withRoom = async <T>(deps: Deps, work: (trx: Trx, room: Room) => Promise<T>): Promise<T> => {
  let room: Room = {}
  for (;;) {
    try {
      const current = room
      return await deps.db.transaction().execute((trx) => work(trx, current))
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
      const nodeId = await findRoom(deps, error.count)
      room = nodeId ? { nodeId } : 'nowhere'
    }
  }
}

const detailsOf = (news: GateNews) => ({
  ...(news.at ? { news_at: news.at } : {}),
  ...(news.requestId ? { gate_request_id: news.requestId } : {}),
  ...(news.code ? { gate_code: news.code } : {}),
  ...(news.authCode ? { auth_code: news.authCode } : {}),
  ...(news.panMasked ? { pan_masked: news.panMasked } : {}),
  ...(news.cardHolder ? { card_holder: news.cardHolder } : {}),
})

const applySuccess = async (deps: Deps, trx: Trx, row: LockedPayment, news: GateNews, room: Room) => {
  const isPaidTwice = row.order_status === 'Completed'
  if (isPaidTwice) {
    deps.log.error({ paymentId: row.id, orderId: row.order_id }, 'an order was paid twice: a refund is due')
  }
  const isDelivered = !isPaidTwice && (await deliverOrQueue(deps, trx, row, room))
  const change = {
    ...detailsOf(news),
    status: 'Success' as const,
    prescription: NO_PRESCRIPTION,
    ended_at: row.now,
    next_check_at: null,
    delivered_at: isDelivered ? row.now : null,
    refund_due: isPaidTwice,
  }
  await updatePaymentAndOrder(trx, row, change, 'Completed')
}

const NO_PRESCRIPTION = JSON.stringify({ kind: 'none' })

const applyFailure = async (trx: Trx, row: LockedPayment, status: PaymentStatus, details: object) => {
  const change = { ...details, status, prescription: NO_PRESCRIPTION, ended_at: row.now, next_check_at: null }
  const orderStatus = canMoveOrder(row.order_status, 'Rejected') ? 'Rejected' : row.order_status
  await updatePaymentAndOrder(trx, row, change, orderStatus)
}

/**
 * Moves a payment to what the gateway says, and with a success the order and its connections, in one transaction:
 * whatever repeats, crashes or arrives late, it all happened or none of it.
 */
export const applyNews = (deps: Deps, news: GateNews): Promise<Outcome> =>
  withRoom(deps, async (trx, room) => {
    const row = await lockPayment(trx, news.paymentId)
    if (!row) return 'unknown-payment'
    if (!matches(row, news) || (news.status === 'Success' && !provesSuccess(news))) return 'does-not-match'
    if (!isNew(row, news)) return 'nothing-new'
    if (news.status === 'Success') {
      await applySuccess(deps, trx, row, news, room)
    } else if (isFinal(news.status)) {
      await applyFailure(trx, row, news.status, detailsOf(news))
    } else {
      const prescription = news.prescription ? { prescription: JSON.stringify(news.prescription) } : {}
      await updatePayment(trx, row.id, { ...detailsOf(news), ...prescription, status: news.status })
    }
    return 'applied'
  })

/** Ends an attempt that never became a payment at the gateway. Does nothing to one that has ended. */
export const endAsError = (deps: Deps, paymentId: string, code: string): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockPayment(trx, paymentId)
    if (row && !isFinal(row.status)) await applyFailure(trx, row, 'Error', { gate_code: code })
  })

/** Delivers a paid order that had to wait for room. Throws while there is none, so that the job comes again. */
export const deliverWaiting = (deps: Deps, paymentId: string): Promise<void> =>
  withRoom(deps, async (trx, room) => {
    const row = await lockPayment(trx, paymentId)
    if (row?.status !== 'Success' || row.delivered_at || row.refund_due) return
    if (room === 'nowhere') throw new Error('every node is still full')
    await deliverTo(deps, trx, row, room.nodeId)
    await updatePayment(trx, paymentId, { delivered_at: row.now })
  })
