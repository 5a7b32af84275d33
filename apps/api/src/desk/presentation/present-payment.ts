import { isoOrNull } from '@hedgerow/domain/dates'
import { formatCharged, formatMinorOf, formatRate } from '@hedgerow/domain/exchange'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { type CurrencyCode, formatDiscount, formatMoney } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import type { PaymentReport } from '#desk/backoffice/operate-payments.ts'
import type { PaymentFacts } from '#desk/backoffice/payment-facts.queries.ts'
import { presentDispute } from '#desk/presentation/present-dispute.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { RefundRow } from '#money/refunds/refunds.service.ts'

export const money = (minor: number, currency: string) => ({
  amount: formatMinorOf(minor, currency),
  currency,
})

export const invoiceOf = ({ invoice_year, invoice_number }: PaymentFacts): string | null =>
  invoice_year === null || invoice_number === null ? null : invoiceNumber(invoice_year, invoice_number)

type Discounted = { promocode: string | null; priceMinor: number; paidMinor: number; currency: CurrencyCode }

const presentDiscount = ({ promocode, priceMinor, paidMinor, currency }: Discounted) =>
  promocode === null ? null : { promocode, ...money(priceMinor - paidMinor, currency) }

/** The line for people, where there is one. */
export const discountLines = ({ promocode, priceMinor, paidMinor, currency }: Discounted) => {
  if (promocode === null) return []
  const off = formatDiscount(priceMinor - paidMinor, currency)
  return [['Promocode', `${promocode}, ${off} from ${formatMoney(priceMinor, currency)}`] as const]
}

export const presentRefund = (refund: RefundRow, currency: string) => ({
  id: refund.id,
  ...money(refund.amount_minor, currency),
  reason: refund.reason,
  byHand: refund.is_by_hand,
  status: refund.status,
  code: refund.gate_code,
  createdAt: refund.created_at.toISOString(),
  endedAt: isoOrNull(refund.ended_at),
  closedAt: isoOrNull(refund.closed_at),
})

/** Paid, and no open node has as many free addresses. */
export const waitsForRoom = (row: PaymentFacts): boolean =>
  row.status === 'Success' &&
  !row.delivered_at &&
  !row.refund_due &&
  !row.cancelled_at &&
  row.refunded_minor < row.charged_minor

/** What came of it, in a word or two. */
export const outcomeOf = (row: PaymentFacts): string => {
  if (row.disputed_minor > 0) return 'disputed'
  if (row.cancelled_at) return 'cancelled'
  if (row.refunded_minor > 0) return `${formatCharged(row.refunded_minor, paidSum(row).currency)} refunded`
  if (row.refund_due) return 'refund due'
  if (waitsForRoom(row)) return 'no room yet'
  return row.delivered_at ? 'delivered' : ''
}

export const discountOf = ({ promocode, price_minor, amount_minor, currency }: PaymentFacts): Discounted => ({
  promocode,
  priceMinor: price_minor,
  paidMinor: amount_minor,
  currency,
})

/** For programs. Sums are texts with the decimals of their currency, times are ISO 8601. */
export const presentPayment = (row: PaymentFacts) => ({
  id: row.id,
  status: row.status,
  code: row.gate_code,
  gatewayStatus: row.gate_status,
  method: row.method,
  price: money(row.price_minor, row.currency),
  discount: presentDiscount(discountOf(row)),
  total: money(row.amount_minor, row.currency),
  charged: money(row.charged_minor, row.charged_currency),
  rate: row.rate_micro === null ? null : formatRate(row.rate_micro),
  received: row.received_minor === null ? null : money(row.received_minor, paidSum(row).currency),
  refunded: money(row.refunded_minor, paidSum(row).currency),
  disputed: money(row.disputed_minor, paidSum(row).currency),
  refundDue: row.refund_due,
  cancelledAt: isoOrNull(row.cancelled_at),
  cancelled: row.cancelled_minor === null ? null : money(row.cancelled_minor, row.charged_currency),
  isUnknown: row.is_unknown,
  startedAt: row.created_at.toISOString(),
  endedAt: isoOrNull(row.ended_at),
  nextCheckAt: isoOrNull(row.next_check_at),
  order: { id: row.order_id, status: row.order_status, description: describeOrder(row) },
  deliveredAt: isoOrNull(row.delivered_at),
  waitsForRoom: waitsForRoom(row),
  activeConnections: Number(row.active_connections),
  invoice: invoiceOf(row),
})

export const presentReport = ({ payment, refunds, disputes, email }: PaymentReport) => ({
  ...presentPayment(payment),
  customer: payment.customer_id === null ? null : { id: payment.customer_id, email: email ?? null },
  refunds: refunds.map((refund) => presentRefund(refund, paidSum(payment).currency)),
  disputes: disputes.map(presentDispute),
})
