import type { Order } from '@hedgerow/contract/orders'
import { CURRENCIES, toMajor } from '@hedgerow/domain/money'
import { type Features, toWireFeatures } from '@hedgerow/domain/pricing'
import type { OrderWithPayment } from './orders.queries.ts'
import type { OrderRow } from './orders.table.ts'

type FeatureColumns = Pick<OrderRow, 'priority_bandwidth' | 'ad_filter' | 'malware_filter' | 'family_filter'>

const featuresOf = (row: FeatureColumns): Features => ({
  priorityBandwidth: row.priority_bandwidth,
  adFilter: row.ad_filter,
  malwareFilter: row.malware_filter,
  familyFilter: row.family_filter,
})

export const presentOrder = (row: OrderWithPayment): Order => ({
  orderId: row.id,
  total: toMajor(row.total_minor),
  currency: CURRENCIES[row.currency],
  days: row.days,
  connections: row.connections,
  features: toWireFeatures(featuresOf(row)),
  status: row.status,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  ...(row.auth_code === null ? {} : { authCode: row.auth_code }),
  ...(row.pan_masked === null ? {} : { pan: row.pan_masked }),
  ...(row.card_holder === null ? {} : { cardHolder: row.card_holder }),
})
