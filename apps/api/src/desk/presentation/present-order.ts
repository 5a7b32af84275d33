import { isoOrNull } from '@hedgerow/domain/dates'
import { describeOrder } from '@hedgerow/domain/order-description'
import { labelsOf } from '@hedgerow/domain/pricing'
import type { OrderReport } from '#desk/backoffice/operate-orders.ts'
import type { OrderFacts } from '#desk/backoffice/order-facts.queries.ts'
import { money, presentDiscount, presentPayment } from '#desk/presentation/present-payment.ts'

export const discountOf = ({ promocode, price_minor, total_minor, currency }: OrderFacts) => ({
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

export const presentOrderReport = ({ order, payments, email }: OrderReport) => ({
  ...presentOrder(order),
  customer: order.customer_id === null ? null : { id: order.customer_id, email: email ?? null },
  payments: payments.map(presentPayment),
})
