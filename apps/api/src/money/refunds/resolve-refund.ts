import type { RefundRefusal } from '@hedgerow/domain/refund-refusals'
import { maySay, type RefundVerdict, wasSaid } from '@hedgerow/domain/refund-status'
import { listStuckIds } from '#money/refunds/owed-refunds.queries.ts'
import { freeOf, leftOf, paidSum } from '#money/refunds/paid-sum.ts'
import {
  closeRefused,
  endRefund,
  type LockedPayment,
  listRefunds,
  lockPayment,
  type RefundRow,
} from '#money/refunds/refunds.queries.ts'
import { applyRefundEnd, queueDrop } from '#money/refunds/refunds.service.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** How a refund of a payment ended, as the operator says; it has to be named where several could be meant. */
export type RefundResolution = { paymentId: string; refundId?: string | undefined; verdict: RefundVerdict }

type RefundWithCurrency = { refund: RefundRow; currency: string }

type Judged =
  /** Nothing stands in the way of it. */
  | ({ kind: 'possible' } & RefundWithCurrency)
  /** It was resolved so before. */
  | ({ kind: 'known' } & RefundWithCurrency)
  | { kind: 'refused'; why: RefundRefusal }

export type ResolveRefundAnswer =
  | Exclude<Judged, { kind: 'possible' }>
  | ({ kind: 'done' } & RefundWithCurrency)

const refuse = (code: Exclude<RefundRefusal['code'], 'not-paid'>) =>
  ({ kind: 'refused', why: { code } }) as const

const judge = async (
  trx: Trx,
  payment: LockedPayment | undefined,
  { paymentId, refundId, verdict }: RefundResolution,
): Promise<Judged> => {
  if (!payment) return refuse('no-payment')
  const stuck = await listStuckIds(trx, paymentId)
  const standingOf = ({ id, status, is_by_hand, claim_url, closed_at }: RefundRow) => ({
    status,
    // What can be claimed waits for the customer, and may be given up at any time.
    isByHand: is_by_hand || claim_url !== null,
    isStuck: stuck.includes(id),
    isClosed: closed_at !== null,
  })
  const meant = (await listRefunds(trx, [paymentId])).filter(({ id }) => id === (refundId ?? id))
  if (refundId !== undefined && meant.length === 0) return refuse('no-refund')
  const { currency } = paidSum(payment)
  const [refund, ...others] = meant.filter((one) => maySay(verdict, standingOf(one)))
  if (!refund) {
    const known = meant.findLast((one) => wasSaid(verdict, standingOf(one)))
    return known ? { kind: 'known', refund: known, currency } : refuse(`none-${verdict}`)
  }
  if (others.length > 0) return refuse('several')
  if (verdict === 'sent' && refund.amount_minor > leftOf(payment)) return refuse('too-much')
  if (verdict === 'sent' && refund.amount_minor > freeOf(payment)) return refuse('disputed')
  return { kind: 'possible', refund, currency }
}

const endAs = async (
  trx: Trx,
  payment: LockedPayment,
  refund: RefundRow,
  verdict: RefundVerdict,
): Promise<void> => {
  const { id, gate_code } = refund
  if (refund.asked_at) await queueDrop(trx, id)
  if (verdict === 'sent') {
    await endRefund(trx, id, {
      status: 'Success',
      gate_operation_id: null,
      gate_code: null,
      is_by_hand: true,
    })
    return applyRefundEnd(trx, payment, refund, 'Success')
  }
  // The status of one that was refused before stays.
  await endRefund(trx, id, { status: 'Decline', gate_operation_id: null, gate_code })
  if (verdict === 'dropped' || leftOf(payment) === 0) await closeRefused(trx, payment.id, [id])
}

/**
 * Ends a refund that does not end by itself: the operator has sent the money, the gateway never will, or it is not owed.
 * Once: of two at a time, and of the gateway's own update, one comes first. `approve` throws where
 * the operator may not say so of such a sum.
 */
export const resolveRefund = (
  { db }: With<'db'>,
  resolution: RefundResolution,
  approve?: (refund: RefundRow) => void,
): Promise<ResolveRefundAnswer> =>
  db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, resolution.paymentId)
    const answer = await judge(trx, payment, resolution)
    if (answer.kind !== 'possible') return answer
    approve?.(answer.refund)
    if (payment) await endAs(trx, payment, answer.refund, resolution.verdict)
    return { ...answer, kind: 'done' }
  })
