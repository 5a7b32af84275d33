import type { Order } from '@hedgerow/contract/orders'
import type { Dependencies } from '#dependencies.ts'
import { judgePromocode } from '#partnership/promocodes.service.ts'
import { findLivePayment } from '#payments/payments.queries.ts'
import { Problem } from '#problems.ts'
import { sumsFor } from './order-sums.ts'
import { lockOrderOf, setOrderSums } from './orders.queries.ts'
import { getOrder } from './orders.service.ts'

/**
 * Sets the promocode of an order that is not paid, or takes it off; answers the order. A payment that is under way keeps
 * its order as it is, so that nobody pays another sum than the one they see.
 * Throws 'order-not-found', 'order-paid', 'order-expired', 'payment-under-way', and 'invalid' for the code.
 */
export const setPromocode = (
  { db, promocodeTries }: Pick<Dependencies, 'db' | 'promocodeTries'>,
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
      code === null ? undefined : await judgePromocode({ db: trx, promocodeTries }, customerId, code)
    await setOrderSums(trx, orderId, sumsFor(order.price_minor, judged))
    return getOrder({ db: trx }, customerId, orderId)
  })
