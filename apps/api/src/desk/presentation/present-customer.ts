import { isoOrNull } from '@hedgerow/domain/dates'
import { PERMISSIONS } from '@hedgerow/domain/operator-roles'
import type { CustomerReport } from '#desk/backoffice/customer-report.ts'
import type { FoundCustomer } from '#desk/backoffice/search-customers.queries.ts'
import { listedConnection } from '#desk/connections/connections.present.ts'
import { presentOrder } from '#desk/presentation/present-order.ts'
import { presentBalances, presentPartnerSummary } from '#desk/presentation/present-partner.ts'
import { presentPayment } from '#desk/presentation/present-payment.ts'

/** For programs. Times are ISO 8601. */
export const presentFound = (row: FoundCustomer) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  confirmedAt: isoOrNull(row.confirmed_at),
  createdAt: row.created_at.toISOString(),
})

/** With no key, no hash and no card. */
export const presentCustomer = (
  { account, orders, payments, connections, partner }: CustomerReport,
  limit: number,
) => ({
  ...presentFound(account),
  firstName: account.first_name,
  lastName: account.last_name,
  phone: account.phone,
  address: {
    street: account.address_string,
    city: account.address_city,
    zip: account.address_zip,
    country: account.address_country,
  },
  cameByReferral: account.referred_by !== null,
  partnership: { ...presentPartnerSummary(partner.facts), balances: presentBalances(partner.balances) },
  orders: orders.slice(0, limit).map(presentOrder),
  payments: payments.slice(0, limit).map(presentPayment),
  connections: connections
    .slice(0, limit)
    .map((row) => listedConnection(row, { permissions: new Set(PERMISSIONS) })),
  hasMore: {
    orders: orders.length > limit,
    payments: payments.length > limit,
    connections: connections.length > limit,
  },
})
