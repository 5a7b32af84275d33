import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

/** A purchase's latest attempt to pay, and the order that it is for. */
export const findPurchase = (db: Db, customerId: string, id: string) =>
  db
    .selectFrom('purchases')
    .innerJoin('payments', 'payments.id', 'purchases.payment_id')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'purchases.payment_id',
      'payments.order_id',
      'orders.plan_id',
      'orders.status as order_status',
      sql<boolean>`payments.ended_at is null and payments.abandoned_at is null`.as('is_live'),
    ])
    .where('purchases.customer_id', '=', customerId)
    .where('purchases.id', '=', id)
    .executeTakeFirst()

type Purchase = { customerId: string; id: string; orderId: string; paymentId: string }

/**
 * From now on the purchase leads to this attempt. To be called with the order locked. False when it has led to another
 * order: it buys one thing.
 */
export const setPurchase = async (trx: Trx, purchase: Purchase): Promise<boolean> => {
  const { customerId, id, orderId, paymentId } = purchase
  const row = await trx
    .insertInto('purchases')
    .values({ customer_id: customerId, id, payment_id: paymentId })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'id'])
        .doUpdateSet({ payment_id: paymentId })
        .where(
          sql<boolean>`(select order_id from payments where payments.id = purchases.payment_id) = ${orderId}`,
        ),
    )
    .returning('payment_id')
    .executeTakeFirst()
  return row !== undefined
}

export const listPurchases = (db: Db, customerId: string) =>
  db.selectFrom('purchases').select(['id', 'payment_id']).where('customer_id', '=', customerId).execute()

export const deletePurchases = async (trx: Trx, customerId: string): Promise<void> => {
  await trx.deleteFrom('purchases').where('customer_id', '=', customerId).execute()
}
