import type { Order } from '@hedgerow/contract/orders'
import { formatMoney, toMajor, toMinor } from '@hedgerow/domain/money'
import { discounted } from '@hedgerow/domain/partnership'
import { PLAN_CURRENCY } from '@hedgerow/domain/plans'
import type { Discount } from '#features/promocodes/promocode-line.tsx'

/** What the code on an order takes off, as it is shown; undefined without one. */
export const orderDiscount = ({ promocode, price, discount, currency }: Order): Discount | undefined => {
  const money = (units: number) => formatMoney(toMinor(units) ?? 0, currency.code)
  return promocode === undefined ? undefined : { promocode, price: money(price), amount: money(discount) }
}

type PlanDiscount = Discount & {
  /** What is left to pay: as it is shown, and as the sale is told. */
  sum: string
  total: number
}

/** The same of a plan, before there is an order of it. */
export const planDiscount = (
  priceMinor: number,
  { promocode, percentage }: { promocode: string; percentage: number },
): PlanDiscount => {
  const { discountMinor, totalMinor } = discounted(priceMinor, percentage)
  const money = (minor: number) => formatMoney(minor, PLAN_CURRENCY)
  return {
    promocode,
    price: money(priceMinor),
    amount: money(discountMinor),
    sum: money(totalMinor),
    total: toMajor(totalMinor),
  }
}
