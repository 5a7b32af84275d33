import type { DisputeView } from '@hedgerow/contract/console/disputes'
import { disputeReasonWords } from '@hedgerow/domain/dispute-reasons'
import { invoiceNumberOrNull } from '@hedgerow/domain/invoices'
import type { DisputeFacts } from '#money/disputes/disputes.service.ts'

export const disputeView = (row: DisputeFacts): DisputeView => ({
  id: row.id,
  paymentId: row.payment_id,
  sum: { minor: row.amount_minor, currency: row.currency },
  status: row.status,
  phase: row.phase,
  reason: row.reason,
  reasonWords: disputeReasonWords(row.reason) ?? null,
  group: row.reason_group,
  openedAt: row.opened_at.toISOString(),
  respondBy: row.respond_by.toISOString(),
  answeredAt: row.answered_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  reversedAt: row.reversed_at?.toISOString() ?? null,
  gateway: row.gate_id === null ? null : `${row.gate_id}, '${row.gate_status}'`,
  haveConnectionsEnded: row.connections_ended,
  vat: row.vat,
  customerId: row.customer_id,
  card: row.pan_masked,
  orderId: row.order_id,
  invoice: invoiceNumberOrNull(row.invoice_year, row.invoice_number),
  total: { minor: row.total_minor, currency: row.total_currency },
  operationId: row.operation_id,
})
