import { randomUUID } from 'node:crypto'
import { leftOf } from '#money/refunds/paid-sum.ts'
import {
  closeRefused,
  endRefund,
  insertDisputeRefund,
  type LockedPayment,
  listRefunds,
} from '#money/refunds/refunds.queries.ts'
import { applyRefundEnd, replaceRefused } from '#money/refunds/refunds.service.ts'
import type { Trx } from '#platform/database/client.ts'
import { addJob } from '#platform/queue/add-job.ts'

/** What still waits to be sent by hand, and is more than is left: it must not be sent any more. */
const dropByHand = async (trx: Trx, paymentId: string, leftMinor: number): Promise<void> => {
  const waiting = (await listRefunds(trx, [paymentId])).filter(
    ({ status, is_by_hand, amount_minor }) => status === 'Pending' && is_by_hand && amount_minor > leftMinor,
  )
  for (const { id } of waiting) {
    await endRefund(trx, id, { status: 'Decline', gate_operation_id: null, gate_code: null })
    await closeRefused(trx, paymentId, [id])
  }
}

/**
 * A dispute is lost: its money went back without us. Books it as a refund that has ended, with all that follows from
 * one. `payment` as it is without the dispute, locked. `isNoted`: the invoice and its tax stay as they are. Where the money
 * had gone back before, it has moved twice, is counted as often, and the operator is mailed. Returns the refund's id.
 */
export const takeBack = async (
  trx: Trx,
  payment: LockedPayment,
  amountMinor: number,
  isNoted: boolean,
): Promise<string> => {
  const refund = { id: randomUUID(), payment_id: payment.id, amount_minor: amountMinor }
  const left = leftOf(payment)
  await replaceRefused(trx, payment.id, amountMinor)
  await insertDisputeRefund(trx, { ...refund, is_noted: isNoted })
  await applyRefundEnd(trx, payment, refund, 'Success')
  await dropByHand(trx, payment.id, left - amountMinor)
  if (amountMinor > left) await addJob(trx, 'mail-refund-twice', { refundId: refund.id })
  return refund.id
}
