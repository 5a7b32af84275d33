import type * as payments from '@hedgerow/contract/console/payments'
import type { ListedPayment, PaymentReport as ReportReply } from '@hedgerow/contract/console/payments'
import { refundDueBy, type Use } from '@hedgerow/domain/cancellations'
import { isoOrNull } from '@hedgerow/domain/dates'
import { formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber, invoiceNumberOrNull } from '@hedgerow/domain/invoices'
import { refundPresets } from '@hedgerow/domain/refund-presets'
import type * as z from 'zod/mini'
import { shownOrder } from '#desk/console/shown-names.ts'
import { disputeView } from '#desk/disputes/disputes.present.ts'
import type { listNotesOf, PaymentFacts } from '#desk/payments/payment-facts.queries.ts'
import type { listSteps } from '#money/payments/payments.service.ts'
import { freeOf, paidSum } from '#money/refunds/paid-sum.ts'
import type { RefundRow } from '#money/refunds/refunds.service.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'

/** Of a refund, by the gateway's id for it. */
type ClaimPage = (ref: string | null) => string | undefined

type Caller = Pick<OperatorCaller, 'permissions'>

/** Paid, and no open node has as many free addresses. */
const waitsForRoom = (row: PaymentFacts): boolean =>
  row.status === 'Success' &&
  !row.delivered_at &&
  !row.refund_due &&
  !row.cancelled_at &&
  row.refunded_minor < row.charged_minor

/** What came of it, in a word or two. */
const outcomeOf = (row: PaymentFacts): string => {
  if (row.disputed_minor > 0) return 'disputed'
  if (row.cancelled_at) return 'cancelled'
  if (row.refunded_minor > 0) return `${formatCharged(row.refunded_minor, paidSum(row).currency)} refunded`
  if (row.refund_due) return 'refund due'
  if (waitsForRoom(row)) return 'no room yet'
  return row.delivered_at ? 'delivered' : ''
}

export const listedPayment = (row: PaymentFacts, operator: Caller): ListedPayment => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  status: row.status,
  method: row.method,
  gateway: row.gateway,
  charged: { minor: row.charged_minor, currency: row.charged_currency },
  outcome: outcomeOf(row),
  what: shownOrder(row, operator),
  code: row.gate_code,
  invoice: invoiceNumberOrNull(row.invoice_year, row.invoice_number),
  customerId: row.customer_id,
  orderId: row.order_id,
  total: { minor: row.amount_minor, currency: row.currency },
  operationId: row.operation_id,
})

/** While it is owed; what was cancelled counts from when that was said. */
const dueByOf = ({ status, closed_at, created_at, reason }: RefundRow, cancelledAt: Date | null) => {
  if (status === 'Success' || closed_at !== null) return null
  const isSaidBefore = reason === 'cancelled' && cancelledAt !== null && cancelledAt < created_at
  return refundDueBy(isSaidBefore ? cancelledAt : created_at).toISOString()
}

const claimOf = ({ claimed_at, gate_request_id: ref }: RefundRow, pageOf: ClaimPage) => ({
  at: isoOrNull(claimed_at),
  page: pageOf(ref) ?? null,
})

/** By which banks find each refund, and who asked for it. */
type OfRefunds = { references: ReadonlyMap<string, string>; refunders: ReadonlyMap<string, string> }

export const refundView = (
  refund: RefundRow,
  currency: string,
  cancelledAt: Date | null,
  { references, refunders }: OfRefunds,
  pageOf: ClaimPage,
): z.infer<typeof payments.RefundView> => ({
  id: refund.id,
  sum: { minor: refund.amount_minor, currency },
  reason: refund.reason,
  by: refunders.get(refund.id) ?? null,
  isByHand: refund.is_by_hand,
  status: refund.status,
  code: refund.gate_code,
  createdAt: refund.created_at.toISOString(),
  endedAt: isoOrNull(refund.ended_at),
  isClosed: refund.closed_at !== null,
  dueBy: dueByOf(refund, cancelledAt),
  claim: refund.claim_url === null ? null : claimOf(refund, pageOf),
  reference: references.get(refund.id) ?? null,
})

/** What could still be refunded. */
const leftToRefund = (row: PaymentFacts): number =>
  row.status === 'Success' || row.received_minor !== null ? freeOf(row) : 0

type Parts = OfRefunds & {
  payment: PaymentFacts
  use: Use
  refunds: readonly RefundRow[]
  disputes: readonly DisputeRow[]
  steps: Awaited<ReturnType<typeof listSteps>>
  notes: Awaited<ReturnType<typeof listNotesOf>>
  others: readonly PaymentFacts[]
  pageOf: ClaimPage
}

export const presentPaymentReport = (
  { payment: row, use, refunds, references, refunders, disputes, steps, notes, others, pageOf }: Parts,
  operator: Caller,
): ReportReply => {
  const paid = paidSum(row)
  const ofPaid = (minor: number) => ({ minor, currency: paid.currency })
  const left = leftToRefund(row)
  const presets = refundPresets(paid.minor, left, use)
  return {
    ...listedPayment(row, operator),
    gatewayStatus: row.gate_status,
    gatewayRequestId: row.gate_request_id,
    gatewayRef: row.gateway_ref,
    price: { minor: row.price_minor, currency: row.currency },
    total: { minor: row.amount_minor, currency: row.currency },
    rate: row.rate_micro === null ? null : formatRate(row.rate_micro),
    promocode: row.promocode,
    received: row.received_minor === null ? null : paid,
    over: row.over_minor === null ? null : { minor: row.over_minor, currency: row.charged_currency },
    coins: row.coins ?? [],
    overSettledAt: isoOrNull(row.over_settled_at),
    refunded: ofPaid(row.refunded_minor),
    disputed: ofPaid(row.disputed_minor),
    left: ofPaid(left),
    presets:
      left > 0
        ? { all: ofPaid(presets.all), unused: ofPaid(presets.unused), half: ofPaid(presets.half) }
        : null,
    endedAt: isoOrNull(row.ended_at),
    nextCheckAt: isoOrNull(row.next_check_at),
    deliveredAt: isoOrNull(row.delivered_at),
    invoicedAt: isoOrNull(row.invoice_issued_at),
    cancelledAt: isoOrNull(row.cancelled_at),
    cancelled:
      row.cancelled_minor === null ? null : { minor: row.cancelled_minor, currency: row.charged_currency },
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
    refunds: refunds.map((refund) =>
      refundView(refund, paid.currency, row.cancelled_at, { references, refunders }, pageOf),
    ),
    creditNotes: notes.map(({ year, number, issued_at }) => ({
      number: creditNoteNumber(year, number),
      at: issued_at.toISOString(),
    })),
    disputes: disputes.map((one) =>
      disputeView({
        ...one,
        ...{ customer_id: row.customer_id, pan_masked: null, order_id: row.order_id },
        ...{ invoice_year: row.invoice_year, invoice_number: row.invoice_number },
        ...{ total_minor: row.amount_minor, total_currency: row.currency, operation_id: row.operation_id },
      }),
    ),
    others: others.filter(({ id }) => id !== row.id).map((one) => listedPayment(one, operator)),
  }
}
