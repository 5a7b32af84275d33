import type { PaymentData } from '@hedgerow/contract/account-data'
import { isoOrNull } from '@hedgerow/domain/dates'
import { chargedToMajor } from '@hedgerow/domain/exchange'
import { toMajor } from '@hedgerow/domain/money'
import { deletePurchases, listPurchases } from '#money/payments/attempts/purchases.queries.ts'
import { cutUnknownFrom } from '#money/payments/exceptions/unknown-payments.queries.ts'
import {
  cutPaymentsFrom,
  listLivePaymentsOf,
  listPaymentsOf,
  listSteps,
} from '#money/payments/payments.queries.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import { listRefunds, type RefundRow } from '#money/refunds/refunds.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { PaymentRow } from '#platform/database/tables/payments.table.ts'
import type { With } from '#platform/dependencies.ts'

const presentRefund = (row: RefundRow, currency: string): PaymentData['refunds'][number] => ({
  refundId: row.id,
  amount: chargedToMajor(row.amount_minor, currency),
  reason: row.reason,
  isByHand: row.is_by_hand,
  status: row.status,
  gateRequestId: row.gate_request_id,
  gateOperationId: row.gate_operation_id,
  gateCode: row.gate_code,
  askedAt: isoOrNull(row.asked_at),
  claimUrl: row.claim_url,
  claimedAt: isoOrNull(row.claimed_at),
  createdAt: row.created_at.toISOString(),
  endedAt: isoOrNull(row.ended_at),
  closedAt: isoOrNull(row.closed_at),
})

const presentPayment = (
  row: PaymentRow,
  purchaseId: string | undefined,
  refunds: readonly RefundRow[],
  steps: Awaited<ReturnType<typeof listSteps>>,
): PaymentData => ({
  paymentId: row.id,
  purchaseId: purchaseId ?? null,
  orderId: row.order_id,
  method: row.method,
  gateway: row.gateway,
  gatewayRef: row.gateway_ref,
  amount: toMajor(row.amount_minor),
  currency: row.currency,
  promocode: row.promocode,
  charged: toMajor(row.charged_minor),
  chargedCurrency: row.charged_currency,
  rateMicro: row.rate_micro,
  ratedAt: isoOrNull(row.rated_at),
  vatCountry: row.vat_country,
  vatNumber: row.vat_number,
  vatNumberStanding: row.vat_number_standing,
  vatNumberConsultation: row.vat_number_consultation,
  vatName: row.vat_name,
  vatAddress: row.vat_address,
  viesName: row.vies_name,
  viesAddress: row.vies_address,
  viesLateAnswer: row.vies_late_answer,
  networkCountry: row.network_country,
  bankCountry: row.bank_country,
  received: row.received_minor === null ? null : chargedToMajor(row.received_minor, paidSum(row).currency),
  receivedCurrency: row.received_currency,
  over: row.over_minor === null ? null : chargedToMajor(row.over_minor, row.charged_currency),
  coins: row.coins,
  overSettledAt: isoOrNull(row.over_settled_at),
  refunded: chargedToMajor(row.refunded_minor, paidSum(row).currency),
  status: row.status,
  pan: row.pan_masked,
  cardBrand: row.card_brand,
  cardHolder: row.card_holder,
  authCode: row.auth_code,
  nextAction: { ...row.next_action },
  answered: row.answered,
  challengeAnsweredAt: isoOrNull(row.challenge_answered_at),
  eci: row.eci,
  gateRequestId: row.gate_request_id,
  gateCode: row.gate_code,
  gateStatus: row.gate_status,
  gateUpdatedAt: isoOrNull(row.gate_updated_at),
  checks: row.checks,
  nextCheckAt: isoOrNull(row.next_check_at),
  deliveredAt: isoOrNull(row.delivered_at),
  refundDue: row.refund_due,
  createdAt: row.created_at.toISOString(),
  endedAt: isoOrNull(row.ended_at),
  abandonedAt: isoOrNull(row.abandoned_at),
  notifiedAt: isoOrNull(row.notified_at),
  cancelledAt: isoOrNull(row.cancelled_at),
  cancelled: row.cancelled_minor === null ? null : toMajor(row.cancelled_minor),
  disputed: chargedToMajor(row.disputed_minor, paidSum(row).currency),
  endedByDisputeAt: isoOrNull(row.ended_by_dispute_at),
  isKeptInDispute: row.is_kept_in_dispute,
  refunds: refunds.map((refund) => presentRefund(refund, paidSum(row).currency)),
  steps: steps.map(({ at, status, gate_status, gate_code }) => ({
    at: at.toISOString(),
    status,
    gateStatus: gate_status,
    gateCode: gate_code,
  })),
})

/** What is held of a customer's payments, for the file with all their data. */
export const paymentsForExport = async ({ db }: With<'db'>, customerId: string): Promise<PaymentData[]> => {
  const rows = await listPaymentsOf(db, customerId)
  const ids = rows.map(({ id }) => id)
  const refunds = Map.groupBy(await listRefunds(db, ids), ({ payment_id }) => payment_id)
  const purchases = new Map(
    (await listPurchases(db, customerId)).map(({ payment_id, id }) => [payment_id, id]),
  )
  const steps = Map.groupBy(await listSteps(db, ids), ({ payment_id }) => payment_id)
  return rows.map((row) =>
    presentPayment(row, purchases.get(row.id), refunds.get(row.id) ?? [], steps.get(row.id) ?? []),
  )
}

/**
 * Whether a payment of the customer's may still succeed by itself; and until when that may take, where all that is under way
 * waits for money that a bank has promised.
 */
export const findLive = async (trx: Trx, customerId: string): Promise<{ until: Date | null } | undefined> => {
  const live = await listLivePaymentsOf(trx, customerId)
  if (live.length === 0) return undefined
  const ends = live.map(({ promised_until }) => promised_until)
  const until = ends.reduce((latest, one) => latest && one && (one > latest ? one : latest))
  return { until: until ?? null }
}

/** What was paid stays for the books; who paid is forgotten. */
export const erasePayments = async (trx: Trx, customerId: string): Promise<void> => {
  await deletePurchases(trx, customerId)
  await cutPaymentsFrom(trx, customerId)
  await cutUnknownFrom(trx, customerId)
}
