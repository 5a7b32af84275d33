import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** A payment with its order, as far as cancelling it goes, and the database's time. */
const withOrder = (db: Db, paymentId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.customer_id',
      'payments.method',
      'payments.status',
      'payments.refund_due',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.delivered_at',
      'payments.ended_at',
      'payments.cancelled_at',
      'payments.cancelled_minor',
      'payments.disputed_minor',
      'orders.days',
      'orders.connections',
      'orders.plan_name',
      'orders.plan_period',
      RENEWED,
      sql<Date>`now()`.as('now'),
    ])
    .where('payments.id', '=', paymentId)

export const findPaymentToCancel = (db: Db, paymentId: string) => withOrder(db, paymentId).executeTakeFirst()

/** Locked, its order first, as everyone locks the two. */
export const lockPaymentToCancel = (trx: Trx, paymentId: string) =>
  withOrder(trx, paymentId).forNoKeyUpdate(['orders', 'payments']).executeTakeFirst()

export type PaymentToCancel = NonNullable<Awaited<ReturnType<typeof findPaymentToCancel>>>

export const markCancelled = async (
  trx: Trx,
  paymentId: string,
  cancelledAt: Date,
  refundMinor: number,
): Promise<void> => {
  await trx
    .updateTable('payments')
    .set({ cancelled_at: cancelledAt, cancelled_minor: refundMinor })
    .where('id', '=', paymentId)
    .execute()
}
