import { discounted } from '@hedgerow/domain/partnership'
import type { OrderRow } from '#database/tables/orders.table.ts'
import type { JudgedPromocode } from '#promocodes/promocodes.service.ts'

/** What is to be paid for an order, and what a promocode has taken off its price. */
export type OrderSums = Pick<OrderRow, 'total_minor' | 'discount_minor' | 'promocode'>

/** The same, and which connections it extends: what may change while the order of a plan waits to be paid. */
export type OrderTerms = OrderSums & Pick<OrderRow, 'renews'>

/** The sums of an order at its price. The share that the code has now stays with the order, whatever becomes of the level. */
export const sumsFor = (priceMinor: number, judged: JudgedPromocode | undefined): OrderSums => {
  const { discountMinor, totalMinor } = discounted(priceMinor, judged?.percentage ?? 0)
  return { total_minor: totalMinor, discount_minor: discountMinor, promocode: judged?.promocode ?? null }
}

export const areSameTerms = (one: OrderTerms, other: OrderTerms): boolean =>
  one.total_minor === other.total_minor &&
  one.promocode === other.promocode &&
  one.renews.join() === other.renews.join()
