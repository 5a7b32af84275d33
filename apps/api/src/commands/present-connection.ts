import { addressesAt } from '@hedgerow/domain/addresses'
import { daysAfter } from '@hedgerow/domain/dates'
import { REPLACED_LIVES_HOURS } from '@hedgerow/domain/nodes'
import type { ConnectionReport } from '#backoffice/operate-connections.ts'
import { type ConnectionFacts, statusOf } from '#backoffice/operate-connections.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** Until when the keys work that were replaced and are there still. */
export const oldKeysUntil = ({ old_keys_since }: ConnectionFacts): Date | null =>
  old_keys_since && daysAfter(old_keys_since, REPLACED_LIVES_HOURS / 24)

/** For programs, and with no key. Times are ISO 8601. */
export const presentConnection = (row: ConnectionFacts) => ({
  id: row.id,
  name: row.name,
  status: statusOf(row),
  customer: { id: row.customer_id, email: row.email },
  paymentId: row.payment_id,
  location: { id: row.node_id, name: row.node_name, isRemoved: row.node_removed_at !== null },
  addresses: addressesAt(row, row.position),
  priorityBandwidth: row.priority_bandwidth,
  filters: {
    ads: { isBought: row.ad_filter, isOn: row.ad_filter_on },
    malicious: { isBought: row.malware_filter, isOn: row.malware_filter_on },
    family: { isBought: row.family_filter, isOn: row.family_filter_on },
  },
  expiresAt: iso(row.expires_at),
  cutOffAt: iso(row.removed_at),
  keysMadeAt: row.peer_created_at.toISOString(),
  oldKeysUntil: iso(oldKeysUntil(row)),
  sharedAt: iso(row.linked_at),
  createdAt: row.created_at.toISOString(),
})

export const presentReport = ({ connection, renewals }: ConnectionReport) => ({
  ...presentConnection(connection),
  renewals: renewals.map((renewal) => ({
    paymentId: renewal.payment_id,
    days: renewal.days,
    oldEnd: renewal.old_end.toISOString(),
    newEnd: renewal.new_end.toISOString(),
    at: renewal.created_at.toISOString(),
  })),
})
