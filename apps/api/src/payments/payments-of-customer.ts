import type { PaymentData } from '@hedgerow/contract/profile'
import { toMajor } from '@hedgerow/domain/money'
import type { Trx } from '#database/client.ts'
import type { PaymentRow } from '#database/tables/payments.table.ts'
import type { With } from '#dependencies.ts'
import { cutPaymentsFrom, hasLivePayment, listPaymentsOf } from '#payments/payments.queries.ts'
import { listRefunds, type RefundRow } from '#refunds/refunds.service.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

const presentRefund = (row: RefundRow): PaymentData['refunds'][number] => ({
  refundId: row.id,
  amount: toMajor(row.amount_minor),
  reason: row.reason,
  isByHand: row.is_by_hand,
  status: row.status,
  gateRequestId: row.gate_request_id,
  gateOperationId: row.gate_operation_id,
  gateCode: row.gate_code,
  createdAt: row.created_at.toISOString(),
  endedAt: iso(row.ended_at),
  closedAt: iso(row.closed_at),
})

const presentPayment = (row: PaymentRow, refunds: readonly RefundRow[]): PaymentData => ({
  paymentId: row.id,
  orderId: row.order_id,
  method: row.method,
  amount: toMajor(row.amount_minor),
  currency: row.currency,
  promocode: row.promocode,
  charged: toMajor(row.charged_minor),
  chargedCurrency: row.charged_currency,
  rateMicro: row.rate_micro,
  ratedAt: iso(row.rated_at),
  refunded: toMajor(row.refunded_minor),
  status: row.status,
  pan: row.pan_masked,
  cardHolder: row.card_holder,
  authCode: row.auth_code,
  nextAction: { ...row.next_action },
  answered: row.answered,
  gateRequestId: row.gate_request_id,
  gateCode: row.gate_code,
  gateUpdatedAt: iso(row.gate_updated_at),
  checks: row.checks,
  nextCheckAt: iso(row.next_check_at),
  deliveredAt: iso(row.delivered_at),
  refundDue: row.refund_due,
  createdAt: row.created_at.toISOString(),
  endedAt: iso(row.ended_at),
  abandonedAt: iso(row.abandoned_at),
  notifiedAt: iso(row.notified_at),
  refunds: refunds.map(presentRefund),
})

/** What is held of a customer's payments, for the file with all their data. */
export const paymentsForExport = async ({ db }: With<'db'>, customerId: string): Promise<PaymentData[]> => {
  const rows = await listPaymentsOf(db, customerId)
  const ids = rows.map(({ id }) => id)
  const refunds = Map.groupBy(await listRefunds(db, ids), ({ payment_id }) => payment_id)
  return rows.map((row) => presentPayment(row, refunds.get(row.id) ?? []))
}

/** Whether a payment of the customer's may still succeed by itself. */
export const isPaying = (trx: Trx, customerId: string): Promise<boolean> => hasLivePayment(trx, customerId)

/** What was paid stays for the books; who paid is forgotten. */
export const erasePayments = (trx: Trx, customerId: string) => cutPaymentsFrom(trx, customerId)
