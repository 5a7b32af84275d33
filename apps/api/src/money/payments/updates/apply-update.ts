import type { NextAction } from '@hedgerow/domain/next-action'
import { AWAITING_CONFIRMATION, canTransitionPayment, isFinal } from '@hedgerow/domain/payment-status'
import {
  AUTHORISATION_FINISHED,
  AUTHORISATION_STARTED,
  answerKey,
  isAskedOnce,
  textOf,
} from '#money/gateway/next-action.ts'
import { detailsOf, type GateDetails, type PaymentUpdate } from '#money/gateway/payment-update.ts'
import { checkAgain } from '#money/gateway/status-checks.ts'
import { expectMethodDone } from '#money/payments/next-actions/challenge.ts'
import {
  findPayment,
  noteCoins,
  type PaymentWithOrder,
  updatePaymentIfUnchanged,
} from '#money/payments/payments.queries.ts'
import { completePurchase } from '#money/payments/updates/complete-purchase.ts'
import {
  ended,
  endWithout,
  giveBack,
  NO_NEXT_ACTION,
  queueDelivery,
} from '#money/payments/updates/end-payment.ts'
import {
  applyOtherSum,
  correctOtherSum,
  matches,
  noteOver,
  otherSum,
} from '#money/payments/updates/other-sum.ts'
import { hasMoney, paidSum } from '#money/refunds/paid-sum.ts'
import { hasRefundUnderWay } from '#money/refunds/refunds.queries.ts'
import { applyRefundUpdates } from '#money/refunds/refunds.service.ts'
import { findNodeWithCapacity, nodesInTurn, type WantedLocation } from '#network/nodes/find-capacity.ts'
import { claimWaiting } from '#network/nodes/nodes.service.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'keyCipher' | 'settings' | 'meters' | 'log'>

/** 'too-early': a refund's update has overtaken that of the success: the gateway's callback will come again. */
export type Outcome = 'applied' | 'nothing-new' | 'unknown-payment' | 'does-not-match' | 'too-early'

/** The gateway refuses a repeated id: that is not the outcome of the payment that has the id. */
const ID_KNOWN = '3041'

const isSameNextAction = ({ next_action }: PaymentWithOrder, update: PaymentUpdate): boolean =>
  update.nextAction === undefined || textOf(next_action) === textOf(update.nextAction)

/**
 * Whether the update asks again what was answered. Where the answer was wrong it is a new question: if the gateway sends it
 * with a later date than before, or in a status check after it took the answer.
 */
const wasAnswered = (
  row: PaymentWithOrder,
  update: PaymentUpdate,
  answeredBefore?: string | null,
): boolean => {
  const isMeant =
    answeredBefore === row.answered ||
    (update.at !== undefined && row.gate_updated_at !== null && update.at > row.gate_updated_at)
  if (update.status === 'awaiting merchant auth') return row.answered === AUTHORISATION_FINISHED && !isMeant
  if (!update.nextAction || answerKey(update.nextAction) !== row.answered) return false
  return isAskedOnce(update.nextAction) || !isMeant
}

/** Whether the update says something that the row does not know yet. Callbacks repeat, and overtake each other. */
const isNew = (row: PaymentWithOrder, update: PaymentUpdate, answeredBefore?: string | null): boolean => {
  if (update.status === 'Error' && update.code === ID_KNOWN) return false
  if (isFinal(update.status)) return canTransitionPayment(row.status, update.status)
  if (isFinal(row.status)) return false
  if (wasAnswered(row, update, answeredBefore)) return false
  if (update.at && row.gate_updated_at && update.at < row.gate_updated_at) return false
  // 'processing' of the same second as a next action, or as a bank's promise, came before it.
  const isSameSecond = row.gate_updated_at !== null && update.at?.getTime() === row.gate_updated_at.getTime()
  const isPromise = update.gateStatus === AWAITING_CONFIRMATION
  if (update.status === 'processing' && isSameSecond && !isPromise) return false
  if (row.status === update.status)
    return row.gate_status !== update.gateStatus || !isSameNextAction(row, update)
  return canTransitionPayment(row.status, update.status)
}

/** At once, and then once an hour while any order waits. */
const mailWaitingOrder = async (trx: Trx, paymentId: string): Promise<void> => {
  if (await claimWaiting(trx)) await addJob(trx, 'mail-order-waits', { paymentId })
}

/** Every node is full: the success is recorded, and the delivery queued. A paid order waits, it is never lost. */
const recordUndelivered = (deps: Deps, row: PaymentWithOrder, details: GateDetails): Promise<boolean> => {
  deps.log.error(
    { paymentId: row.id, connections: row.connections },
    'every node is full, so a paid order is waiting',
  )
  return deps.db.transaction().execute(async (trx) => {
    const isUpdated = await updatePaymentIfUnchanged(trx, row, ended(row, 'Success', details), 'Completed')
    if (!isUpdated) return false
    await queueDelivery(trx, row.id)
    await mailWaitingOrder(trx, row.id)
    return true
  })
}

const wantedBy = ({ location_id, location_is_chosen }: PaymentWithOrder): WantedLocation | undefined =>
  location_id === null ? undefined : { nodeId: location_id, isChosen: location_is_chosen }

/** On the first node that has room. 'no-room': none has. */
const deliver = async (
  deps: Deps,
  row: PaymentWithOrder,
  details: GateDetails,
): Promise<'completed' | 'changed' | 'no-room'> => {
  const start = performance.now()
  // A payment that had to wait for room has succeeded before.
  const waitedMs = row.status === 'Success' && row.ended_at ? row.now.getTime() - row.ended_at.getTime() : 0
  const wanted = wantedBy(row)
  let nodeId = wanted && (await nodesInTurn(deps, row.plan_id, wanted, row.options))[0]?.id
  for (;;) {
    const completion = await completePurchase(deps, row, details, nodeId)
    if (completion === 'completed') {
      deps.meters.delivered((waitedMs + performance.now() - start) / 1000)
      deps.log.info({ paymentId: row.id, orderId: row.order_id }, 'an order was delivered')
    }
    if (completion === 'completed' || completion === 'changed') return completion
    nodeId = await findNodeWithCapacity(deps, completion.capacityFor, row.plan_id, wanted, row.options)
    if (!nodeId) return 'no-room'
  }
}

/** False when the payment has changed meanwhile. */
const applySuccess = async (deps: Deps, row: PaymentWithOrder, details: GateDetails): Promise<boolean> => {
  const paid = ended(row, 'Success', details)
  if (row.order_status === 'Completed') return giveBack(deps, row, paid, 'paid-twice')
  if (!row.customer_id) return giveBack(deps, row, paid, 'account-erased')
  const completion = await deliver(deps, row, details)
  const isTaken =
    completion === 'no-room' ? await recordUndelivered(deps, row, details) : completion === 'completed'
  if (isTaken) deps.log.info({ paymentId: row.id, orderId: row.order_id }, 'an order was paid')
  return isTaken
}

/** A late update does not bring back the name of someone whose account is erased. */
const detailsFor = (row: PaymentWithOrder, update: PaymentUpdate): GateDetails =>
  row.customer_id ? detailsOf(update) : { ...detailsOf(update), card_holder: null }

/** The gateway asks for an authorisation without any field: the first time it has to be started, then finished. */
const nextActionFor = (row: PaymentWithOrder, update: PaymentUpdate): NextAction | undefined => {
  if (update.status !== 'awaiting merchant auth') {
    // The gateway need not name again the page where the customer is.
    const { next_action: known } = row
    const isThere = row.status === update.status && known.kind === 'redirect'
    return update.nextAction ?? (isThere ? known : undefined)
  }
  const isStarted = row.answered === AUTHORISATION_STARTED || row.answered === AUTHORISATION_FINISHED
  return { kind: 'authorisation', stage: isStarted ? 'finish' : 'start' }
}

const apply = async (deps: Deps, row: PaymentWithOrder, update: PaymentUpdate): Promise<boolean> => {
  const details = detailsFor(row, update)
  if (update.status === 'Success') return applySuccess(deps, row, details)
  if (isFinal(update.status)) return endWithout(deps, row, ended(row, update.status, details))
  const next = nextActionFor(row, update)
  const next_action = next ? JSON.stringify(next) : NO_NEXT_ACTION
  const change = { ...details, next_action, status: update.status }
  if (next?.kind !== 'method') return updatePaymentIfUnchanged(deps.db, row, change)
  return deps.db.transaction().execute(async (trx) => {
    const isUpdated = await updatePaymentIfUnchanged(trx, row, change)
    if (isUpdated) await expectMethodDone(trx, row.id)
    return isUpdated
  })
}

/** Nothing is recorded before a status check has shown all operations. */
const askFirst = async ({ db }: With<'db'>, paymentId: string): Promise<Outcome> => {
  await checkAgain(db, paymentId, 0)
  return 'too-early'
}

/** A success without a sum does not count: it may be for another order, or for less. */
const refuseUnproven = (deps: Deps, { paymentId, amountMinor }: PaymentUpdate): Promise<Outcome> | Outcome =>
  amountMinor === undefined ? 'does-not-match' : askFirst(deps, paymentId)

/** Undefined when the payment has changed meanwhile. */
const applyTo = async (
  deps: Deps,
  row: PaymentWithOrder,
  update: PaymentUpdate,
  answeredBefore: string | null | undefined,
): Promise<Outcome | undefined> => {
  if (!matches(row, update)) return 'does-not-match'
  if (row.received_minor !== null) return correctOtherSum(deps, row, update)
  const other = otherSum(row, update)
  if (other && row.status !== 'Success')
    return (await applyOtherSum(deps, row, other, detailsFor(row, update))) ? 'applied' : undefined
  if (other)
    deps.log.error(
      { paymentId: row.id, now: other },
      'the gateway corrected a payment that was already delivered',
    )
  if (!isNew(row, update, answeredBefore)) return 'nothing-new'
  if (update.status === 'Success' && !update.paid) return refuseUnproven(deps, update)
  return (await apply(deps, row, update)) ? 'applied' : undefined
}

const applySaleUpdate = async (
  deps: Deps,
  update: PaymentUpdate,
  answeredBefore?: string | null,
): Promise<Outcome> => {
  for (;;) {
    const row = await findPayment(deps.db, update.paymentId)
    if (!row) return 'unknown-payment'
    const outcome = await applyTo(deps, row, update, answeredBefore)
    if (outcome) return outcome
  }
}

const applyRefundOnly = async (deps: Deps, { paymentId, refunds }: PaymentUpdate): Promise<Outcome> => {
  const row = await findPayment(deps.db, paymentId)
  if (!row) return 'unknown-payment'
  const paid = paidSum(row)
  if (refunds.some(({ currency = paid.currency }) => currency !== paid.currency)) return 'does-not-match'
  if (hasMoney(row)) return (await applyRefundUpdates(deps, paymentId, refunds)) ? 'applied' : 'nothing-new'
  if (!refunds.some(({ status }) => status === 'success')) return 'nothing-new'
  await checkAgain(deps.db, paymentId, 0)
  return 'too-early'
}

/**
 * Applies what the gateway says to a payment, and with a success its order and connections; then its refunds. Each step
 * starts from the state that was read; the second reads again and finds nothing new.
 * `answeredBefore`: the question that had been answered last when the gateway was asked for this update.
 */
export const applyUpdate = async (
  deps: Deps,
  update: PaymentUpdate,
  answeredBefore?: string | null,
): Promise<Outcome> => {
  if (update.isRefundOnly) return applyRefundOnly(deps, update)
  // Before the success: its receipt names the way that it came.
  if (update.coins) await noteCoins(deps.db, update.paymentId, update.coins)
  const outcome = await applySaleUpdate(deps, update, answeredBefore)
  if (outcome === 'unknown-payment' || outcome === 'does-not-match') return outcome
  if (update.overMinor) await noteOver(deps, update.paymentId, update.overMinor)
  const hasNewRefund = await applyRefundUpdates(deps, update.paymentId, update.refunds)
  return hasNewRefund ? 'applied' : outcome
}

/**
 * Ends an attempt that never became a payment at the gateway. Does nothing to one that the gateway has reported. The
 * checks go on for a while: a request that was lost on the way may arrive after all.
 */
export const endAsError = async (deps: Deps, paymentId: string, code: string): Promise<void> => {
  for (;;) {
    const row = await findPayment(deps.db, paymentId)
    if (!row || isFinal(row.status) || row.gate_updated_at) return
    // Reported without a date; the gateway's own page alone is made by us.
    if (row.status !== 'Pending' && row.gate_request_id) return
    const { next_check_at, ...change } = ended(row, 'Error', { gate_code: code })
    if (await endWithout(deps, row, change)) return
  }
}

/** Tries again to deliver a paid order that had to wait for room, and plans the next try while there is none. */
export const deliverWaiting = async (deps: Deps, paymentId: string): Promise<void> => {
  const row = await findPayment(deps.db, paymentId)
  if (row?.status !== 'Success' || row.delivered_at || row.refund_due) return
  // Refunded or cancelled while it waited.
  if (row.refunded_minor === row.charged_minor || row.cancelled_at || row.ended_by_dispute_at) return
  // Its bank disputes the money: delivery or refund waits for the outcome.
  if (row.disputed_minor > 0) return queueDelivery(deps.db, paymentId)
  if (!row.customer_id) {
    // A part may be on its way back: the rest follows once it is known how that ended.
    const isUnderWay = await hasRefundUnderWay(deps.db, paymentId)
    const isRecorded = !isUnderWay && (await giveBack(deps, row, {}, 'account-erased'))
    return isRecorded ? undefined : queueDelivery(deps.db, paymentId)
  }
  const delivery = await deliver(deps, row, {})
  if (delivery === 'completed') return
  await deps.db.transaction().execute(async (trx) => {
    await queueDelivery(trx, paymentId)
    if (delivery !== 'changed') await mailWaitingOrder(trx, paymentId)
  })
}
