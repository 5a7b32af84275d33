import type { AccountData } from '@hedgerow/contract/account-data'
import { isoOrNull } from '@hedgerow/domain/dates'
import { chargedToMajor } from '@hedgerow/domain/exchange'
import { listDisputesOfCustomer } from '#money/disputes/disputes.queries.ts'
import { listHintsOf } from '#money/disputes/hints.queries.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'
import type { With } from '#platform/dependencies.ts'

const present = (row: DisputeRow): AccountData['disputes'][number] => ({
  disputeId: row.id,
  paymentId: row.payment_id,
  amount: chargedToMajor(row.amount_minor, row.currency),
  currency: row.currency,
  reason: row.reason,
  reasonGroup: row.reason_group,
  gateId: row.gate_id,
  gateStatus: row.gate_status,
  status: row.status,
  phase: row.phase,
  openedAt: row.opened_at.toISOString(),
  respondBy: row.respond_by.toISOString(),
  answeredAt: isoOrNull(row.answered_at),
  endedAt: isoOrNull(row.ended_at),
  connectionsEnded: row.connections_ended,
  vat: row.vat,
  refundId: row.refund_id,
  reversedAt: isoOrNull(row.reversed_at),
})

/** What is held of disputes of a customer's payments, for the file with all their data. */
export const disputesForExport = async (
  { db }: With<'db'>,
  customerId: string,
): Promise<Pick<AccountData, 'disputes' | 'disputeHints'>> => ({
  disputes: (await listDisputesOfCustomer(db, customerId)).map(present),
  disputeHints: (await listHintsOf(db, customerId)).map((hint) => ({
    paymentId: hint.payment_id,
    firstToldAt: hint.first_told_at.toISOString(),
    lastToldAt: hint.last_told_at.toISOString(),
    checkedAt: isoOrNull(hint.checked_at),
  })),
})
