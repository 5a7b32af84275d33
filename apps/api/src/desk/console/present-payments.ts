import type * as payments from '@hedgerow/contract/console/payments'
import type { ListedPayment, PaymentReport as ReportReply } from '@hedgerow/contract/console/payments'
import { isoOrNull } from '@hedgerow/domain/dates'
import { formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber } from '@hedgerow/domain/invoices'
import type * as z from 'zod/mini'
import type { PaymentReport } from '#desk/backoffice/operate-payments.ts'
import type { listNotesOf, PaymentFacts } from '#desk/backoffice/payment-facts.queries.ts'
import { shownOrder } from '#desk/console/shown-names.ts'
import { disputeView } from '#desk/disputes/disputes.present.ts'
import { invoiceOf, outcomeOf } from '#desk/presentation/present-payment.ts'
import type { listSteps } from '#money/payments/payments.service.ts'
import { freeOf, paidSum } from '#money/refunds/paid-sum.ts'
import type { RefundRow } from '#money/refunds/refunds.service.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

type Caller = Pick<OperatorCaller, 'permissions'>

export const listedPayment = (row: PaymentFacts, operator: Caller): ListedPayment => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  status: row.status,
  method: row.method,
  charged: { minor: row.charged_minor, currency: row.charged_currency },
  outcome: outcomeOf(row),
  what: shownOrder(row, operator),
  code: row.gate_code,
  invoice: invoiceOf(row),
  customerId: row.customer_id,
})

export const refundView = (refund: RefundRow, currency: string): z.infer<typeof payments.RefundView> => ({
  id: refund.id,
  sum: { minor: refund.amount_minor, currency },
  reason: refund.reason,
  isByHand: refund.is_by_hand,
  status: refund.status,
  code: refund.gate_code,
  createdAt: refund.created_at.toISOString(),
  endedAt: isoOrNull(refund.ended_at),
  isClosed: refund.closed_at !== null,
})

type Parts = {
  report: PaymentReport
  steps: Awaited<ReturnType<typeof listSteps>>
  notes: Awaited<ReturnType<typeof listNotesOf>>
  others: readonly PaymentFacts[]
}

export const presentPaymentReport = (
  { report, steps, notes, others }: Parts,
  operator: Caller,
): ReportReply => {
  const { payment: row, refunds, disputes } = report
  const paid = paidSum(row)
  const ofPaid = (minor: number) => ({ minor, currency: paid.currency })
  return {
    ...listedPayment(row, operator),
    gatewayStatus: row.gate_status,
    gatewayRequestId: row.gate_request_id,
    price: { minor: row.price_minor, currency: row.currency },
    total: { minor: row.amount_minor, currency: row.currency },
    rate: row.rate_micro === null ? null : formatRate(row.rate_micro),
    promocode: row.promocode,
    received: row.received_minor === null ? null : paid,
    refunded: ofPaid(row.refunded_minor),
    disputed: ofPaid(row.disputed_minor),
    left: ofPaid(row.status === 'Success' || row.received_minor !== null ? freeOf(row) : 0),
    endedAt: isoOrNull(row.ended_at),
    nextCheckAt: isoOrNull(row.next_check_at),
    deliveredAt: isoOrNull(row.delivered_at),
    invoicedAt: isoOrNull(row.invoice_issued_at),
    cancelledAt: isoOrNull(row.cancelled_at),
    isRefundDue: row.refund_due,
    isUnknown: row.is_unknown,
    activeConnections: Number(row.active_connections),
    order: { id: row.order_id, status: row.order_status },
    steps: steps.map(({ at, status, gate_status, gate_code }) => ({
      at: at.toISOString(),
      status,
      gatewayStatus: gate_status,
      code: gate_code,
    })),
    refunds: refunds.map((refund) => refundView(refund, paid.currency)),
    creditNotes: notes.map(({ year, number, issued_at }) => ({
      number: creditNoteNumber(year, number),
      at: issued_at.toISOString(),
    })),
    disputes: disputes.map((one) => disputeView({ ...one, customer_id: row.customer_id, pan_masked: null })),
    others: others.filter(({ id }) => id !== row.id).map((one) => listedPayment(one, operator)),
  }
}
