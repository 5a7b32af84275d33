import { formatDateTime, isoOrNull } from '@hedgerow/domain/dates'
import { formatCharged, formatMinorOf } from '@hedgerow/domain/exchange'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'

/** For programs. */
export const presentDispute = (row: DisputeRow) => ({
  id: row.id,
  paymentId: row.payment_id,
  amount: formatMinorOf(row.amount_minor, row.currency),
  currency: row.currency,
  status: row.status,
  phase: row.phase,
  reason: row.reason,
  group: row.reason_group,
  gatewayId: row.gate_id,
  gatewayStatus: row.gate_status,
  openedAt: row.opened_at.toISOString(),
  respondBy: row.respond_by.toISOString(),
  answeredAt: isoOrNull(row.answered_at),
  endedAt: isoOrNull(row.ended_at),
  connectionsEnded: row.connections_ended,
  vat: row.vat,
  refundId: row.refund_id,
})

const sumOfDispute = ({ amount_minor, currency }: DisputeRow): string => formatCharged(amount_minor, currency)

/** Until when it wants what, or when it ended. */
const standingOf = ({ status, answered_at, respond_by, ended_at }: DisputeRow): string => {
  if (status !== 'open') return `${status} on ${formatDateTime(ended_at ?? new Date())}`
  return answered_at
    ? `open, answered on ${formatDateTime(answered_at)}`
    : `open, to be answered by ${formatDateTime(respond_by)}`
}

const reasonOf = ({ reason, reason_group }: DisputeRow): string =>
  [reason, reason_group && `(${reason_group})`].filter(Boolean).join(' ')

/** In a line, beside its payment. */
export const disputeLine = (row: DisputeRow): string =>
  `${sumOfDispute(row)} ${standingOf(row)}${row.reason ? `, ${reasonOf(row)}` : ''}, ${row.id}`
