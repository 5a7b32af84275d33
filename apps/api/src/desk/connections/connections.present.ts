import type { ConnectionPage, ListedConnection } from '@hedgerow/contract/console/connections'
import { addressesOf } from '@hedgerow/domain/addresses'
import { daysAfter, isoOrNull } from '@hedgerow/domain/dates'
import { GOODWILL_CAUSES } from '@hedgerow/domain/goodwill'
import { REPLACED_LIVES_HOURS } from '@hedgerow/domain/nodes'
import { FEATURES, hasBit } from '@hedgerow/domain/pricing'
import {
  type ConnectionFacts,
  type listCancelledOf,
  type listGiven,
  type listRenewals,
  statusOf,
} from '#desk/connections/connection-facts.queries.ts'
import { shownName } from '#desk/console/shown-names.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

export const listedConnection = (
  row: ConnectionFacts,
  operator: Pick<OperatorCaller, 'permissions'>,
): ListedConnection => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  name: shownName(row.name, operator),
  status: statusOf(row),
  node: row.node_name,
  expiresAt: isoOrNull(row.expires_at),
  customerId: row.customer_id,
})

/** Until when the keys work that were replaced and are there still; not of those that a renewal keeps until the new are used. */
const oldKeysUntil = ({ old_keys_since, waits_for_device }: ConnectionFacts): Date | null =>
  waits_for_device ? null : old_keys_since && daysAfter(old_keys_since, REPLACED_LIVES_HOURS / 24)

type ConnectionReport = {
  connection: ConnectionFacts
  renewals: Awaited<ReturnType<typeof listRenewals>>
  given: Awaited<ReturnType<typeof listGiven>>
  cancelled: Awaited<ReturnType<typeof listCancelledOf>>
  isUnreadable: boolean
}

export const connectionPage = (
  { connection: row, renewals, given, cancelled, isUnreadable }: ConnectionReport,
  operator: OperatorCaller,
): ConnectionPage => ({
  ...listedConnection(row, operator),
  paymentId: row.payment_id,
  isNodeRemoved: row.node_removed_at !== null,
  addresses: addressesOf(row, row),
  features: FEATURES.filter((one) => hasBit(row.options, one)).map((one) => ({
    name: one.label,
    isOn: one.filter ? hasBit(row.filters_on, one) : null,
  })),
  keysMadeAt: row.peer_created_at.toISOString(),
  isUnreadable,
  hasOwnKey: row.has_own_key,
  isUsedTwice: row.is_used_twice,
  oldKeysUntil: isoOrNull(oldKeysUntil(row)),
  keyRenewal: row.keys_every_days && {
    everyDays: row.keys_every_days,
    nextOn: row.waits_for_device ? null : row.keys_renew_on,
  },
  keysRenewedAt: isoOrNull(row.keys_renewed_at),
  areKeysWaiting: row.waits_for_device,
  sharedAt: isoOrNull(row.linked_at),
  sharedUntil: isoOrNull(row.link_expires_at),
  fileAddressAt: isoOrNull(row.file_address_made_at),
  fileReadAt: isoOrNull(row.file_address_read_at),
  cutOffAt: isoOrNull(row.removed_at),
  endedByHandAt: row.ended_by_hand.map((at) => at.toISOString()),
  renewals: renewals.map(({ payment_id, days, old_end, new_end, created_at }) => ({
    paymentId: payment_id,
    days,
    oldEnd: old_end.toISOString(),
    newEnd: new_end.toISOString(),
    at: created_at.toISOString(),
  })),
  given: given.map(({ days, reason, name, new_end, created_at }) => ({
    days,
    reason: GOODWILL_CAUSES[reason],
    by: name,
    newEnd: new_end.toISOString(),
    at: created_at.toISOString(),
  })),
  cancelled: cancelled.map(({ payment_id, cancelled_at }) => ({
    paymentId: payment_id,
    at: cancelled_at.toISOString(),
  })),
})
