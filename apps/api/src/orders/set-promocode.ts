import type { Order } from '@hedgerow/contract/orders'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { sumsFor } from '#orders/order-sums.ts'
import { findLivePayment, lockOrderOf, setOrderSums } from '#orders/orders.queries.ts'
import { getOrder } from '#orders/orders.service.ts'
import { validatePromocode } from '#promocodes/promocodes.service.ts'

/**
 * Sets the promocode of an order that is not paid, or takes it off; returns the order. A payment that is under way keeps
 * its order as it is, so that nobody pays another sum than the one they see.
 * Throws 'order-not-found', 'order-paid', 'order-expired', 'payment-under-way', and 'invalid' for the code.
 */
export const setPromocode = (
  { db, promocodeTries }: With<'db' | 'promocodeTries'>,
  customerId: string,
  orderId: string,
  code: string | null,
): Promise<Order> =>
  db.transaction().execute(async (trx) => {
    const order = await lockOrderOf(trx, customerId, orderId)
    if (!order || order.plan_id) throw new Problem('order-not-found')
    if (order.status === 'Completed') throw new Problem('order-paid')
    if (order.has_expired) throw new Problem('order-expired')
    const live = await findLivePayment(trx, orderId)
    if (live) throw new Problem('payment-under-way', { paymentId: live.id })
    const judged =
      code === null ? undefined : await validatePromocode({ db: trx, promocodeTries }, customerId, code)
    await setOrderSums(trx, orderId, sumsFor(order.price_minor, judged))
    return getOrder({ db: trx }, customerId, orderId)
  })
