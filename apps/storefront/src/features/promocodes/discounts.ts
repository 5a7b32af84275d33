import type { Order } from '@hedgerow/contract/orders'
import { formatDiscount, formatMoney, toMajor, toMinor } from '@hedgerow/domain/money'
import { discounted } from '@hedgerow/domain/partnership'
import { PLAN_CURRENCY } from '@hedgerow/domain/plans'
import type { Discount } from '#features/promocodes/promocode-line.tsx'
import { formatAmount } from '#shared/format-amount.ts'

/** What the code on an order takes off, as it is shown; undefined without one. */
export const orderDiscount = ({ promocode, price, discount, currency }: Order): Discount | undefined => {
  if (promocode === undefined) return undefined
  const { code } = currency
  return {
    promocode,
    price: formatAmount(price, code),
    amount: formatDiscount(toMinor(discount) ?? 0, code),
  }
}

type PlanDiscount = Discount & {
  /** What is left to pay: as it is shown, and as the sale carries it. */
  sum: string
  total: number
}

/** The same of a plan, before there is an order of it. */
export const planDiscount = (
  priceMinor: number,
  { promocode, percentage }: { promocode: string; percentage: number },
): PlanDiscount => {
  const { discountMinor, totalMinor } = discounted(priceMinor, percentage)
  return {
    promocode,
    amount: formatDiscount(discountMinor, PLAN_CURRENCY),
    sum: formatMoney(totalMinor, PLAN_CURRENCY),
    total: toMajor(totalMinor),
  }
}
