import { addressesAt } from '@hedgerow/domain/addresses'
import { daysAfter, isoOrNull } from '@hedgerow/domain/dates'
import { FILTERS } from '@hedgerow/domain/filters'
import { REPLACED_LIVES_HOURS } from '@hedgerow/domain/nodes'
import { FEATURES, hasBit } from '@hedgerow/domain/pricing'
import { type ConnectionFacts, statusOf } from '#desk/backoffice/connection-facts.queries.ts'
import type { ConnectionReport } from '#desk/backoffice/operate-connections.ts'

/** Until when the keys work that were replaced and are there still. */
export const oldKeysUntil = ({ old_keys_since }: ConnectionFacts): Date | null =>
  old_keys_since && daysAfter(old_keys_since, REPLACED_LIVES_HOURS / 24)

/** What was bought, and which filters of it are on. */
const presentOptions = ({ options, filters_on }: ConnectionFacts) => ({
  ...Object.fromEntries(
    FEATURES.filter(({ filter }) => filter === null).map((one) => [one.key, hasBit(options, one)]),
  ),
  filters: Object.fromEntries(
    FILTERS.map((one) => [
      one.filter.list,
      { isBought: hasBit(options, one), isOn: hasBit(filters_on, one) },
    ]),
  ),
})

/** For programs, and with no key. Times are ISO 8601. */
export const presentConnection = (row: ConnectionFacts) => ({
  id: row.id,
  name: row.name,
  status: statusOf(row),
  customer: { id: row.customer_id, email: row.email },
  paymentId: row.payment_id,
  location: { id: row.node_id, name: row.node_name, isRemoved: row.node_removed_at !== null },
  addresses: addressesAt(row, row.position),
  ...presentOptions(row),
  expiresAt: isoOrNull(row.expires_at),
  endedByHandAt: row.ended_by_hand.map((ended) => ended.toISOString()),
  cutOffAt: isoOrNull(row.removed_at),
  keysMadeAt: row.peer_created_at.toISOString(),
  oldKeysUntil: isoOrNull(oldKeysUntil(row)),
  sharedAt: isoOrNull(row.linked_at),
  sharedUntil: isoOrNull(row.link_expires_at),
  createdAt: row.created_at.toISOString(),
})

export const presentReport = ({ connection, renewals, cancelled }: ConnectionReport) => ({
  ...presentConnection(connection),
  cancelled: cancelled.map(({ payment_id, cancelled_at }) => ({
    paymentId: payment_id,
    at: cancelled_at.toISOString(),
  })),
  renewals: renewals.map((renewal) => ({
    paymentId: renewal.payment_id,
    days: renewal.days,
    oldEnd: renewal.old_end.toISOString(),
    newEnd: renewal.new_end.toISOString(),
    at: renewal.created_at.toISOString(),
  })),
})
