import { formatDate, isoOrNull } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { labelsOf } from '@hedgerow/domain/pricing'
import type { OrderFacts } from '#desk/orders/order-facts.queries.ts'
import { money, presentDiscount } from '#desk/presentation/present-payment.ts'

const discountOf = ({ promocode, price_minor, total_minor, currency }: OrderFacts) => ({
  promocode,
  priceMinor: price_minor,
  paidMinor: total_minor,
  currency,
})

const presentLocation = ({ location }: OrderFacts) =>
  location && {
    id: location.id,
    name: location.name,
    isChosen: location.is_chosen,
    insteadOf: location.instead_of,
  }

/** For programs. Sums are texts with two decimals, times are ISO 8601. */
export const presentOrder = (row: OrderFacts) => ({
  id: row.id,
  status: row.status,
  description: describeOrder(row),
  features: labelsOf(row.options),
  planId: row.plan_id,
  location: presentLocation(row),
  price: money(row.price_minor, row.currency),
  discount: presentDiscount(discountOf(row)),
  total: money(row.total_minor, row.currency),
  payments: Number(row.payments),
  createdAt: row.created_at.toISOString(),
  payableUntil: isoOrNull(row.expires_at),
})

export const ORDER_HEADS = ['order', 'created', 'status', 'for', 'total'] as const

export const orderRow = (row: OrderFacts): string[] => [
  row.id,
  formatDate(row.created_at),
  row.status,
  describeOrder(row),
  formatMoney(row.total_minor, row.currency),
]
