import type { CurrencyCode } from '@hedgerow/domain/money'
import { hasRoomFor, noRoomFor } from '#network/nodes/locations.service.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { checkTotal, findLivePayment, findOrderRow, findPaidBy } from '#sales/orders/orders.service.ts'

/** Why an order cannot be paid as it was shown; undefined when nothing stands in the way. */
export const findRefusal = async (
  { db }: With<'db'>,
  customerId: string,
  orderId: string,
  shown: { total: number; currency: CurrencyCode },
): Promise<Problem | undefined> => {
  const order = await findOrderRow(db, customerId, orderId)
  if (!order) return new Problem('order-not-found')
  if (order.status === 'Completed') {
    const paid = await findPaidBy(db, orderId)
    return new Problem('order-paid', paid ? { paymentId: paid.id } : {})
  }
  if (order.has_expired) return new Problem('order-expired')
  const isOtherCurrency = order.currency !== shown.currency
  if (isOtherCurrency)
    return new Problem('total-differs', {
      errors: [{ path: 'currency', message: `The order is in ${order.currency}` }],
    })
  const live = await findLivePayment(db, orderId)
  if (live) return new Problem('payment-under-way', { paymentId: live.id })
  checkTotal(shown.total, order.total_minor, order.currency)
  const added = order.connections - order.renews.length
  const chosenId = order.location_is_chosen ? order.location_id : null
  if (added > 0 && !(await hasRoomFor(db, added, order.plan_id, chosenId))) return noRoomFor(added)
  return undefined
}
