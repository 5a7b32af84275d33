import { randomUUID } from 'node:crypto'
import { isRefundedByHand } from '@hedgerow/domain/payment-methods'
import type { RefundRefusal } from '@hedgerow/domain/refund-refusals'
import { replacedBy } from '@hedgerow/domain/refund-status'
import type { RefundUpdate } from '#money/gateway/payment-update.ts'
import { checkAgain } from '#money/gateway/status-checks.ts'
import { freeOf, hasMoney, leftOf, paidSum } from '#money/refunds/paid-sum.ts'
import {
  addRefunded,
  closeRefused,
  endRefund,
  findDisputed,
  goesBack,
  insertForeignRefund,
  insertRefund,
  type LockedPayment,
  listRefunds,
  lockPayment,
  type RefundRow,
  reopenReturned,
} from '#money/refunds/refunds.queries.ts'
import { noteReturned } from '#money/refunds/returned-purchases.queries.ts'
import { reverseEarning } from '#partners/earnings/earnings.service.ts'
import type { Trx } from '#platform/database/client.ts'
import type { RefundReason } from '#platform/database/tables/payments.table.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { changeEndsOf } from '#sales/renewals/change-ends.ts'

export {
  findFirstByHand,
  findFirstRefused,
  IS_DUE_BACK,
  IS_REFUSED,
  IS_STUCK,
  listOwedRefunds,
  type OwedRefund,
  WAITS_FOR_HAND,
} from '#money/refunds/owed-refunds.queries.ts'
export { hasGoneBack, listReferences, listRefunds, type RefundRow } from '#money/refunds/refunds.queries.ts'

/** Some months of tries: a gateway that is away for days owes every refund all the same. */
const UNTIL_TAKEN = 500

const isOwed = ({ status, closed_at }: RefundRow) => status === 'Decline' && closed_at === null

/**
 * Closes refused refunds that a new one of this sum replaces: the new one is owed instead, until it ends.
 * Returns how many.
 */
export const replaceRefused = async (trx: Trx, paymentId: string, amountMinor: number): Promise<number> => {
  const refused = (await listRefunds(trx, [paymentId])).filter(isOwed)
  const owed = refused.map(({ id, amount_minor }) => ({ id, amountMinor: amount_minor }))
  const replaced = replacedBy(owed, amountMinor)
  await closeRefused(trx, paymentId, replaced)
  return replaced.length
}

/**
 * Records a refund, and queues its call to the gateway. Returns the refund's id. The caller has looked
 * whether a dispute holds the money; throws if it does all the same, so that nothing of the caller's is done.
 */
export const recordRefund = async (
  trx: Trx,
  payment: { id: string; method: LockedPayment['method'] },
  amountMinor: number,
  reason: RefundReason,
): Promise<string> => {
  const { disputed_minor, free_minor } = await findDisputed(trx, payment.id)
  if (disputed_minor > 0 && amountMinor > free_minor)
    throw new Error(`a dispute holds the money of payment ${payment.id}, which was to be given back`)
  const id = randomUUID()
  const byHand = isRefundedByHand(payment.method)
  await insertRefund(trx, {
    id,
    payment_id: payment.id,
    amount_minor: amountMinor,
    reason,
    is_by_hand: byHand,
  })
  await noteReturned(trx, payment.id, reason)
  if (byHand) {
    await addJob(trx, 'mail-refund-by-hand', { refundId: id })
  } else {
    const key = `refund:${id}`
    await addJob(trx, 'send-refund', { refundId: id }, { key, maxAttempts: UNTIL_TAKEN })
    await checkAgain(trx, payment.id)
  }
  return id
}

/** What the customer can still claim of a refund that is no longer to be made has to be taken back. */
export const queueDrop = (trx: Trx, refundId: string): Promise<void> =>
  addJob(trx, 'drop-claim', { refundId }, { key: `drop-claim:${refundId}`, maxAttempts: UNTIL_TAKEN })

export { deleteOldReturns, letBuy } from '#money/refunds/returned-purchases.queries.ts'

/** The outcome of a request for a refund. */
export type RefundAnswer =
  | {
      kind: 'recorded'
      refundId: string
      isByHand: boolean
      amountMinor: number
      currency: string
    }
  /** The same was asked for before. */
  | { kind: 'known'; refund: RefundRow; currency: string }
  | { kind: 'refused'; why: RefundRefusal }

export type RefundRequest = {
  paymentId: string
  /** Left out: all that is left. */
  amountMinor?: number | undefined
  /** Whether a sum that was given back before is to go back once more. */
  isAgain?: boolean
}

/**
 * Whether it may be given back, judged in its transaction, with the payment locked: throws where not. Returns how it is
 * counted once it is recorded.
 */
export type Approve<Facts> = (
  trx: Trx,
  facts: Facts,
) => Promise<(trx: Trx, refundId: string) => Promise<unknown>>

/** Nothing stands in the way of this refund. */
type RefundIsPossible = {
  kind: 'possible'
  amountMinor: number
  currency: string
  method: LockedPayment['method']
  /** What operators have refunded of the payment before. */
  givenMinor: number
}

type Judged = Exclude<RefundAnswer, { kind: 'recorded' }> | RefundIsPossible

const refuse = (code: Exclude<RefundRefusal['code'], 'not-paid'>) =>
  ({ kind: 'refused', why: { code } }) as const

/** What has been asked for before: the same sum; or all of it, and what went back last left nothing. */
const sameAsBefore = (
  payment: LockedPayment,
  earlier: readonly RefundRow[],
  amountMinor: number | undefined,
): RefundRow | undefined => {
  if (amountMinor !== undefined) return earlier.findLast((refund) => refund.amount_minor === amountMinor)
  const given = earlier.reduce((sum, refund) => sum + refund.amount_minor, 0)
  return given >= paidSum(payment).minor ? earlier.at(-1) : undefined
}

const judge = (
  payment: LockedPayment | undefined,
  refunds: readonly RefundRow[],
  { amountMinor, isAgain = false }: RefundRequest,
): Judged => {
  if (!payment) return refuse('no-payment')
  if (!hasMoney(payment)) return { kind: 'refused', why: { code: 'not-paid', status: payment.status } }
  if (amountMinor !== undefined && !(Number.isInteger(amountMinor) && amountMinor > 0))
    return refuse('too-small')
  const { currency } = paidSum(payment)
  const earlier = refunds.filter(goesBack)
  const same = sameAsBefore(payment, earlier, amountMinor)
  const isRetry = refunds.some((one) => isOwed(one) && one.amount_minor === amountMinor)
  if (same && !isAgain && !isRetry) return { kind: 'known', refund: same, currency }
  const underWay = earlier.find(({ status }) => status === 'Pending')
  if (underWay?.claim_url) return refuse('waits-for-claim')
  if (underWay) return refuse(underWay.is_by_hand ? 'waits-for-hand' : 'under-way')
  const left = leftOf(payment)
  if (left === 0) return refuse('all-back')
  const free = freeOf(payment)
  // Without a sum all of it is meant, and not what a dispute has left.
  const amount = amountMinor ?? left
  if (amount > left) return refuse('too-much')
  if (amount > free) return refuse('disputed')
  const byOperators = earlier.filter(({ reason }) => reason === 'operator')
  const givenMinor = byOperators.reduce((sum, refund) => sum + refund.amount_minor, 0)
  return { kind: 'possible', amountMinor: amount, currency, method: payment.method, givenMinor }
}

/**
 * Refunds on an operator's request, once: asking again for the same sum returns what came of the first time,
 * unless `isAgain` says that it is meant. `approve`: whether the operator may refund so much.
 */
export const requestRefund = (
  { db }: With<'db'>,
  request: RefundRequest,
  approve?: Approve<RefundIsPossible>,
): Promise<RefundAnswer> =>
  db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, request.paymentId)
    const judged = judge(payment, await listRefunds(trx, [request.paymentId]), request)
    if (judged.kind !== 'possible') return judged
    const count = await approve?.(trx, judged)
    const { amountMinor, currency, method } = judged
    await replaceRefused(trx, request.paymentId, amountMinor)
    const refundId = await recordRefund(trx, { id: request.paymentId, method }, amountMinor, 'operator')
    await count?.(trx, refundId)
    return { kind: 'recorded', refundId, isByHand: isRefundedByHand(method), amountMinor, currency }
  })

/**
 * A refund has succeeded or failed: does what follows from it, in the caller's transaction. `payment` as it was before,
 * locked.
 */
export const applyRefundEnd = async (
  trx: Trx,
  payment: LockedPayment,
  refund: Pick<RefundRow, 'id' | 'amount_minor'>,
  status: 'Success' | 'Decline',
): Promise<void> => {
  const refundId = refund.id
  const isOpen = leftOf(payment) > 0
  // Where all has gone back otherwise, this is not owed any more.
  if (status === 'Decline' && !isOpen) return closeRefused(trx, payment.id)
  if (status === 'Decline') return addJob(trx, 'mail-refund-failed', { refundId })
  const left = await addRefunded(trx, payment.id, refund.amount_minor)
  // Only a whole refund ends what was bought.
  if (left === 0 && isOpen) await changeEndsOf(trx, payment.id)
  if (left === 0) await closeRefused(trx, payment.id)
  await reverseEarning(trx, payment.id)
  await addJob(trx, 'mail-refund', { refundId })
}

/** A refund's id at the gateway. */
export const wireId = (id: string) => id.replaceAll('-', '')

/** The operator has sent the money in another way: the gateway has not made this refund, as far as we know. */
const wasSentOtherwise = ({ method }: LockedPayment, { status, is_by_hand }: RefundRow) =>
  status === 'Success' && is_by_hand && !isRefundedByHand(method)

/**
 * The refund of ours that an update is about: by its name or its request. Where the update has no name and we have not
 * heard of the request yet, the one that is under way, if it is of this sum; or that was said to have gone another way, and
 * of which nothing has come.
 */
const ourRefund = (
  payment: LockedPayment,
  refunds: readonly RefundRow[],
  update: RefundUpdate,
): RefundRow | undefined => {
  if (update.refundId) return refunds.find(({ id }) => wireId(id) === update.refundId)
  const isOfSum = ({ amount_minor }: RefundRow) => amount_minor === (update.amountMinor ?? amount_minor)
  const nameless = refunds.filter((refund) => refund.gate_request_id === null && isOfSum(refund))
  const hasCome = refunds.some((refund) => refund.reason === 'at-the-gateway' && isOfSum(refund))
  return (
    refunds.find(({ gate_request_id }) => gate_request_id !== null && gate_request_id === update.requestId) ??
    nameless.find(({ status }) => status === 'Pending') ??
    nameless.find((refund) => !hasCome && wasSentOtherwise(payment, refund))
  )
}

/** One that the gateway made without us, or although the operator had resolved it otherwise. */
const recordForeignRefund = async (
  trx: Trx,
  payment: LockedPayment,
  gate_operation_id: string,
  amount_minor: number,
): Promise<string> => {
  const foreign = { id: randomUUID(), payment_id: payment.id, amount_minor, gate_operation_id }
  await replaceRefused(trx, payment.id, amount_minor)
  await insertForeignRefund(trx, foreign)
  await applyRefundEnd(trx, payment, foreign, 'Success')
  return foreign.id
}

/**
 * What a refund of ours has given back: what was asked for, where the gateway does not say. What was meant to be all of it
 * is less, where the gateway had given back a part by itself; and more, where more had come than was known of.
 */
const givenBack = (payment: LockedPayment, ours: RefundRow, { amountMinor }: RefundUpdate): number => {
  const left = leftOf(payment)
  if (ours.reason === 'other-sum') return amountMinor || ours.amount_minor
  return left > 0 ? Math.min(amountMinor ?? ours.amount_minor, left) : ours.amount_minor
}

const endOurRefund = async (
  trx: Trx,
  payment: LockedPayment,
  ours: RefundRow,
  update: RefundUpdate,
): Promise<boolean> => {
  const status = update.status === 'success' ? 'Success' : 'Decline'
  const gate_operation_id = update.operationId ?? null
  const left = leftOf(payment)
  if (wasSentOtherwise(payment, ours)) {
    if (status === 'Decline' || !gate_operation_id) return false
    // The money has moved twice, and is counted as often.
    const amountMinor = update.amountMinor ?? ours.amount_minor
    const refundId = await recordForeignRefund(trx, payment, gate_operation_id, amountMinor)
    await addJob(trx, 'mail-refund-twice', { refundId })
    return true
  }
  const amount_minor = status === 'Success' ? givenBack(payment, ours, update) : ours.amount_minor
  const ending = { status, amount_minor, gate_operation_id, gate_code: update.code ?? null } as const
  const isEnded = await endRefund(trx, ours.id, ending)
  if (!isEnded) return false
  // What was asked for in its place, and was refused too, need not go back as well. Else that went back, or will.
  const isInVain =
    status === 'Success' && ours.closed_at !== null && !(await replaceRefused(trx, payment.id, amount_minor))
  await applyRefundEnd(trx, payment, { ...ours, amount_minor }, status)
  const isTooMuch =
    isInVain || left === 0 || (ours.reason !== 'other-sum' && (update.amountMinor ?? 0) > left)
  if (status === 'Success' && isTooMuch) await addJob(trx, 'mail-refund-twice', { refundId: ours.id })
  return true
}

const applyRefundUpdate = async (
  trx: Trx,
  payment: LockedPayment,
  update: RefundUpdate,
): Promise<boolean> => {
  const refunds = await listRefunds(trx, [payment.id])
  const known = refunds.find(
    ({ gate_operation_id }) => gate_operation_id !== null && gate_operation_id === update.operationId,
  )
  if (known?.status === 'Success' && !known.is_by_hand && update.status === 'returned') {
    const isReopened = await reopenReturned(trx, known, update.code ?? null)
    if (isReopened) await addJob(trx, 'mail-refund-by-hand', { refundId: known.id })
    return isReopened
  }
  // Only that it has succeeded after all is news of an operation that has ended.
  if (known && !(known.status === 'Decline' && update.status === 'success')) return false
  const ours = known ?? ourRefund(payment, refunds, update)
  if (ours) return endOurRefund(trx, payment, ours, update)
  const { operationId, amountMinor = 0, currency } = update
  const isOfThisSum =
    amountMinor > 0 && amountMinor <= leftOf(payment) && currency === paidSum(payment).currency
  // Without an id a repeat would look like another refund.
  if (update.status !== 'success' || !isOfThisSum || !operationId) return false
  await recordForeignRefund(trx, payment, operationId, amountMinor)
  return true
}

/** Applies what the gateway reports of refunds. True when any of it was new. */
export const applyRefundUpdates = async (
  { db, log }: With<'db'> & Partial<With<'log'>>,
  paymentId: string,
  updates: readonly RefundUpdate[],
): Promise<boolean> => {
  let isNew = false
  for (const update of updates) {
    const isApplied = await db.transaction().execute(async (trx) => {
      const payment = await lockPayment(trx, paymentId)
      return payment !== undefined && hasMoney(payment) && (await applyRefundUpdate(trx, payment, update))
    })
    if (isApplied && update.status === 'success') log?.info({ paymentId }, 'a refund was paid back')
    isNew ||= isApplied
  }
  return isNew
}
