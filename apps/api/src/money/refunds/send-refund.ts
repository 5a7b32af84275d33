import { type GatewayDependencies, gatewayOf, notTaken } from '#money/gateway/gateway.ts'
import { madeBefore, noteClaim } from '#money/refunds/claims.ts'
import { freeOf, paidSum } from '#money/refunds/paid-sum.ts'
import { endRefund, findRefund, lockPayment, noteRequest } from '#money/refunds/refunds.queries.ts'
import { applyRefundEnd, wireId } from '#money/refunds/refunds.service.ts'
import type { With } from '#platform/dependencies.ts'

/** The gateway already has this merchant_refund_id. */
const REFUND_KNOWN = '3230'

/** What is said of a refund that was not sent, because a dispute holds its money. */
const DISPUTED = 'disputed'

/**
 * A dispute holds the money. The refund counts as refused: it is owed again if the dispute is won, and no more once it is lost.
 * If the gateway has it all the same, its success still counts.
 */
const refuseDisputed = (db: With<'db'>['db'], refundId: string, paymentId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, paymentId)
    const refund = await findRefund(trx, refundId)
    if (!payment || !refund || refund.disputed_minor === 0)
      throw new Error('the dispute of a refund has ended meanwhile')
    await endRefund(trx, refundId, { status: 'Decline', gate_operation_id: null, gate_code: DISPUTED })
  })

/** Throws when the gateway gave no answer, so that the job comes again: its id makes a repeat safe. */
export const sendRefund = async (
  { db, gateways, log, settings }: With<'db' | 'log' | 'settings'> & GatewayDependencies,
  refundId: string,
): Promise<void> => {
  const refund = await findRefund(db, refundId)
  if (refund?.status !== 'Pending' || refund.is_by_hand) return
  if (refund.disputed_minor > 0 && refund.amount_minor > freeOf(refund))
    return refuseDisputed(db, refundId, refund.payment_id)
  const paid = paidSum(refund)
  // Of another sum than was asked for all goes back, however much it is by now.
  const isWhole = refund.reason === 'other-sum' || refund.amount_minor === paid.minor
  const payment = { id: refund.payment_id, ref: refund.gateway_ref }
  const gateway = gatewayOf(gateways, refund.gateway)
  const answer =
    (await madeBefore(db, gateway, refundId, paid.currency)) ??
    (await gateway.refund({
      payment,
      method: refund.method,
      refundId: wireId(refundId),
      description: `Refund by ${settings.brand.name}`,
      amountMinor: refund.amount_minor,
      currency: paid.currency,
      isWhole,
    }))
  if (answer.kind === 'unknown') throw new Error(`${notTaken(refund.gateway)} a refund: ${answer.reason}`)
  if (answer.kind === 'accepted') {
    const { requestId, claimUrl } = answer
    if (requestId && claimUrl) await noteClaim(db, refundId, requestId, claimUrl)
    else if (requestId) await noteRequest(db, refundId, requestId)
    return
  }
  if (answer.code === REFUND_KNOWN) return
  log.error({ refundId, paymentId: refund.payment_id, code: answer.code }, 'the gateway refused a refund')
  await db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, refund.payment_id)
    const ending = { status: 'Decline', gate_operation_id: null, gate_code: answer.code } as const
    if (payment && (await endRefund(trx, refundId, ending)))
      await applyRefundEnd(trx, payment, refund, 'Decline')
  })
}
