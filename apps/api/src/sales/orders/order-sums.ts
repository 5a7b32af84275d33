import { discounted } from '@hedgerow/domain/partnership'
import type { JudgedPromocode } from '#catalogue/promocodes/promocodes.service.ts'
import type { OrderRow } from '#platform/database/tables/orders.table.ts'

/** What is to be paid for an order, and what a promocode has taken off its price. */
export type OrderSums = Pick<OrderRow, 'total_minor' | 'discount_minor' | 'promocode'>

/**
 * The same, which connections it extends, and where its new ones are to be: what each press that pays says anew of the order
 * of a plan.
 */
export type OrderTerms = OrderSums & Pick<OrderRow, 'renews' | 'location_id' | 'location_is_chosen'>

/** The sums of an order at its price. The share that the code has now stays with the order, whatever becomes of the level. */
export const sumsFor = (priceMinor: number, judged: JudgedPromocode | undefined): OrderSums => {
  const { discountMinor, totalMinor } = discounted(priceMinor, judged?.percentage ?? 0)
  return { total_minor: totalMinor, discount_minor: discountMinor, promocode: judged?.promocode ?? null }
}
