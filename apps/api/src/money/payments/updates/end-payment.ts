import { canTransitionOrder } from '@hedgerow/domain/order-status'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import type { Updateable } from 'kysely'
import type { GateDetails } from '#money/gateway/payment-update.ts'
import { restartedChecks } from '#money/gateway/status-checks.ts'
import { type PaymentWithOrder, updatePaymentIfUnchanged } from '#money/payments/payments.queries.ts'
import { recordRefund } from '#money/refunds/refunds.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { PaymentsTable } from '#platform/database/tables/payments.table.ts'
import type { Dependencies, With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

/** Where it is logged that money goes back. */
export type Telling = { log: Pick<Dependencies['log'], 'warn' | 'error'> }

/** There is nothing to do for the customer. */
export const NO_NEXT_ACTION = JSON.stringify({ kind: 'none' })

/** How a payment stands once it has ended. */
export const ended = (row: PaymentWithOrder, status: PaymentStatus, details: GateDetails) => ({
  ...details,
  status,
  next_action: NO_NEXT_ACTION,
  ended_at: row.now,
  // To an address money may be sent although its time is over.
  next_check_at: row.method === 'crypto' && status !== 'Success' ? restartedChecks(row).next_check_at : null,
})

/** Money came that buys nothing: records it with `change`, and its refund with it. */
export const giveBack = (
  { db, log }: With<'db'> & Telling,
  row: PaymentWithOrder,
  change: Updateable<PaymentsTable>,
  reason: 'paid-twice' | 'account-erased',
): Promise<boolean> => {
  log.warn({ paymentId: row.id, orderId: row.order_id, reason }, 'a payment buys nothing and is refunded')
  return db.transaction().execute(async (trx) => {
    const isUpdated = await updatePaymentIfUnchanged(trx, row, { ...change, refund_due: true })
    if (isUpdated) await recordRefund(trx, row, row.charged_minor - row.refunded_minor, reason)
    return isUpdated
  })
}

/** So long the customer's page may take to show a decline, before a mail says it. */
const MAIL_DECLINE_AFTER_S = 60

/** Ends a payment that buys nothing, with its order, refund and mail. False when it has changed meanwhile. */
export const endWithout = (
  { db }: With<'db'>,
  row: PaymentWithOrder,
  change: Updateable<PaymentsTable>,
  along?: (trx: Trx) => Promise<unknown>,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // An attempt that was left for another one leaves the order as it is.
    const isRejected = !row.abandoned_at && canTransitionOrder(row.order_status, 'Rejected')
    const orderStatus = isRejected ? 'Rejected' : row.order_status
    const isUpdated = await updatePaymentIfUnchanged(trx, row, change, orderStatus)
    if (!isUpdated) return false
    await along?.(trx)
    if (!row.abandoned_at) {
      const key = `declined:${row.id}`
      await addJob(trx, 'mail-declined', { paymentId: row.id }, { key, inSeconds: MAIL_DECLINE_AFTER_S })
    }
    return true
  })

/** Not left to the queue's own retries, whose pauses grow to hours: the operator may make room at any time. */
const TRY_DELIVERY_AGAIN_S = 30

export const queueDelivery = (db: Db, paymentId: string, inSeconds = TRY_DELIVERY_AGAIN_S): Promise<void> =>
  addJob(db, 'deliver-payment', { paymentId }, { key: `deliver:${paymentId}`, inSeconds })

/**
 * Records a success whose delivery is left to a job, which begins at once. What can buy nothing is refunded.
 * False when the payment has changed meanwhile.
 */
export const recordPaid = (
  deps: With<'db'> & Telling,
  row: PaymentWithOrder,
  details: GateDetails,
): Promise<boolean> => {
  const paid = ended(row, 'Success', details)
  if (row.order_status === 'Completed') return giveBack(deps, row, paid, 'paid-twice')
  if (!row.customer_id) return giveBack(deps, row, paid, 'account-erased')
  return deps.db.transaction().execute(async (trx) => {
    const isUpdated = await updatePaymentIfUnchanged(trx, row, paid, 'Completed')
    if (isUpdated) await queueDelivery(trx, row.id, 0)
    return isUpdated
  })
}
