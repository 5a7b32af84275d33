import type { DisputeRefusal } from '@hedgerow/domain/dispute-refusals'
import { type DisputeVat, groupOfReason, respondBy } from '@hedgerow/domain/dispute-status'
import {
  addDisputed,
  findDispute,
  insertDispute,
  markConnectionsEnded,
  markEndedByDispute,
  markKept,
  markLost,
  markReopened,
  markReversed,
  markWon,
  noteWhatHasEnded,
  unmarkEnded,
} from '#money/disputes/disputes.queries.ts'
import { checkHintsOf } from '#money/disputes/hints.queries.ts'
import { freeOf, leftOf, paidSum } from '#money/refunds/paid-sum.ts'
import {
  type LockedPayment,
  lockPayment,
  reopenRefused,
  takeRefundedBack,
} from '#money/refunds/refunds.queries.ts'
import { takeBack } from '#money/refunds/take-back.ts'
import { restoreEarning } from '#partners/earnings/earnings.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'
import { restoreInvoice, settleNotes } from '#sales/invoices/restore-invoice.ts'
import { changeEndsOf } from '#sales/renewals/change-ends.ts'

/** What a dispute does to its payment, step by step; each in the caller's transaction, with the payment locked. */

/** What came of recording something of a dispute; a repeat is known. */
export type DisputeAnswer =
  | { kind: 'recorded' | 'known'; dispute: DisputeRow }
  | { kind: 'refused'; why: DisputeRefusal }

export const refuse = (
  why: DisputeRefusal | Exclude<DisputeRefusal['code'], 'not-paid' | 'not-lost' | 'ended-before'>,
) => ({ kind: 'refused', why: typeof why === 'string' ? { code: why } : why }) as const

export type NewDispute = {
  paymentId: string
  /** In minor units of what was charged. Left out: all that is left. */
  amountMinor?: number | undefined
  reason?: string | undefined
  /** When the notice came; now if left out. */
  respondBy?: Date | undefined
  endConnections?: boolean
  /** One of the same sum was won, and the bank goes on. */
  isAgain?: boolean
}

/** What the gateway calls it. */
export type AtGateway = Pick<DisputeRow, 'gate_id' | 'gate_status'>

export const getDispute = async (db: Db, id: string): Promise<DisputeRow> => {
  const dispute = await findDispute(db, id)
  if (!dispute) throw new Error(`dispute ${id} has gone`)
  return dispute
}

export const endConnections = async (trx: Trx, { id, payment_id }: DisputeRow): Promise<void> => {
  await markEndedByDispute(trx, payment_id)
  await changeEndsOf(trx, payment_id)
  await markConnectionsEnded(trx, id)
}

/** Why that much cannot be disputed; undefined when it can. */
export const whyNot = (payment: LockedPayment, amountMinor: number): DisputeRefusal | undefined => {
  if (freeOf(payment) === 0) return { code: 'nothing-left' }
  if (!Number.isInteger(amountMinor) || amountMinor <= 0) return { code: 'too-small' }
  return amountMinor > freeOf(payment) ? { code: 'too-much' } : undefined
}

export const reopen = async (trx: Trx, dispute: DisputeRow, wish: NewDispute): Promise<DisputeRow> => {
  await markReopened(trx, dispute.id, wish.respondBy ?? respondBy(new Date()))
  await addDisputed(trx, dispute.payment_id, dispute.amount_minor)
  return getDispute(trx, dispute.id)
}

export const openNew = async (
  trx: Trx,
  payment: LockedPayment,
  wish: NewDispute,
  atGateway: AtGateway = { gate_id: null, gate_status: null },
): Promise<DisputeAnswer> => {
  const amount = wish.amountMinor ?? freeOf(payment)
  const why = whyNot(payment, amount)
  if (why) return refuse(why)
  const reason = wish.reason ?? null
  const dispute = await insertDispute(trx, {
    payment_id: payment.id,
    amount_minor: amount,
    currency: paidSum(payment).currency,
    reason,
    reason_group: reason === null ? null : groupOfReason(reason),
    respond_by: wish.respondBy ?? respondBy(new Date()),
    ...atGateway,
  })
  await addDisputed(trx, payment.id, amount)
  await checkHintsOf(trx, payment.id)
  return { kind: 'recorded', dispute }
}

export const win = async (trx: Trx, { id, payment_id, amount_minor }: DisputeRow): Promise<void> => {
  await markWon(trx, id)
  await addDisputed(trx, payment_id, -amount_minor)
  await unmarkEnded(trx, payment_id)
}

export type Loss = {
  vat: DisputeVat
  /** Left out: what was bought ends if all of the payment is gone, as with every refund. */
  connections?: 'end' | 'keep' | undefined
}

export const lose = async (trx: Trx, dispute: DisputeRow, { vat, connections }: Loss): Promise<void> => {
  const { id, payment_id, amount_minor } = dispute
  await addDisputed(trx, payment_id, -amount_minor)
  if (connections === 'keep') await markKept(trx, payment_id)
  // As it is without the dispute: what is to be settled is free again, and goes.
  const payment = (await lockPayment(trx, payment_id)) as LockedPayment
  const isWhole = leftOf(payment) > 0 && leftOf(payment) <= amount_minor
  const refundId = await takeBack(trx, payment, amount_minor, vat === 'bad-debt')
  if (connections === 'end') await endConnections(trx, dispute)
  const haveConnectionsEnded =
    connections === 'end' || dispute.connections_ended || (isWhole && connections !== 'keep')
  await markLost(trx, id, { vat, refundId, haveConnectionsEnded })
}

/**
 * It was lost, and was decided for the shop after all: the money is back, once and for all, and so is the partner's share. The
 * refund stays, and counts no more. What a credit note took off is in a new invoice; a bad debt leaves the papers as they are.
 * What has ended stays ended; refunds that the loss had settled are owed again. Returns why it cannot be booked.
 */
export const reverse = async (
  trx: Trx,
  payment: LockedPayment,
  { id, vat, refund_id }: DisputeRow,
): Promise<DisputeRefusal | undefined> => {
  // How much of what came in its place had come is not known any more.
  if (payment.received_minor !== null) return { code: 'other-sum' }
  if (!(await settleNotes(trx, payment.id))) return { code: 'no-papers-yet' }
  await markReversed(trx, id)
  await takeRefundedBack(trx, payment.id)
  await noteWhatHasEnded(trx, id)
  await restoreEarning(trx, payment.id)
  if (refund_id !== null) await reopenRefused(trx, refund_id)
  if (vat === 'credit-note' && refund_id !== null) await restoreInvoice(trx, payment.id, refund_id)
  return undefined
}
