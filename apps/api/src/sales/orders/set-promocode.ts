import type { Order } from '@hedgerow/contract/orders'
import { validatePromocode } from '#catalogue/promocodes/promocodes.service.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { sumsFor } from '#sales/orders/order-sums.ts'
import { findLivePayment, lockOrderOf, setOrderSums } from '#sales/orders/orders.queries.ts'
import { getOrder } from '#sales/orders/orders.service.ts'

/** Throws 'order-not-found', 'order-paid', 'order-expired' and 'payment-under-way'. */
const lockUnpaid = async (trx: Trx, customerId: string, orderId: string) => {
  const order = await lockOrderOf(trx, customerId, orderId)
  if (!order || order.plan_id) throw new Problem('order-not-found')
  if (order.status === 'Completed') throw new Problem('order-paid')
  if (order.has_expired) throw new Problem('order-expired')
  const live = await findLivePayment(trx, orderId)
  if (live) throw new Problem('payment-under-way', { paymentId: live.id })
  return order
}

/**
 * Sets the promocode of an order that is not paid, or takes it off; returns the order. A payment that is under way keeps
 * its order as it is, so that a customer pays no other sum than the one they see.
 * Throws what `lockUnpaid` does, and 'invalid' for the code.
 */
export const setPromocode = async (
  { db, rateCounter }: With<'db' | 'rateCounter'>,
  customerId: string,
  orderId: string,
  code: string | null,
): Promise<Order> => {
  // A code is judged outside of the transaction. What keeps the order as it is comes before what is wrong with the code.
  if (code !== null) await db.transaction().execute((trx) => lockUnpaid(trx, customerId, orderId))
  const judged = code === null ? undefined : await validatePromocode({ db, rateCounter }, customerId, code)
  return db.transaction().execute(async (trx) => {
    const { price_minor } = await lockUnpaid(trx, customerId, orderId)
    await setOrderSums(trx, orderId, sumsFor(price_minor, judged))
    return getOrder({ db: trx }, customerId, orderId)
  })
}
