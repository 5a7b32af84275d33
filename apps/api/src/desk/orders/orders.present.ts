import type { ListedOrder } from '@hedgerow/contract/console/orders'
import { invoiceNumberOrNull } from '@hedgerow/domain/invoices'
import { shownOrder } from '#desk/console/shown-names.ts'
import type { OrderFacts } from '#desk/orders/order-facts.queries.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

export const listedOrder = (row: OrderFacts, operator: Pick<OperatorCaller, 'permissions'>): ListedOrder => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  status: row.status,
  what: shownOrder(row, operator),
  total: { minor: row.total_minor, currency: row.currency },
  promocode: row.promocode,
  payments: Number(row.payments),
  payableUntil: row.expires_at.toISOString(),
  customerId: row.customer_id,
  paymentId: row.paid_id,
  charged:
    row.charged_minor === null || row.charged_currency === null
      ? null
      : { minor: row.charged_minor, currency: row.charged_currency },
  invoice: invoiceNumberOrNull(row.invoice_year, row.invoice_number),
  operationId: row.operation_id,
})
