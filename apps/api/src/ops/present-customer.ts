import { formatMinor, toMinor } from '@hedgerow/domain/money'
import type { FoundCustomer } from '#accounts/search-customers.queries.ts'
import type { CustomerStory } from '#profile/tell-customer.ts'
import { presentConnection } from './present-connection.ts'
import { presentOrder } from './present-order.ts'
import { iso, presentPayment } from './present-payment.ts'

/** For programs. Times are ISO 8601. */
export const presentFound = (row: FoundCustomer) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  confirmedAt: iso(row.confirmed_at),
  createdAt: row.created_at.toISOString(),
})

const sumOf = (major: number) => formatMinor(toMinor(major) ?? 0)

/** With no key, no hash and no card. */
export const presentCustomer = ({ account, orders, payments, connections, partnership }: CustomerStory) => ({
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
  partnership: {
    promocode: partnership.promocode,
    level: partnership.level,
    percentage: partnership.percentage,
    crossings: partnership.crossings,
    transactions: partnership.transactions,
    balances: partnership.balances.map(({ currency, ...sums }) => ({
      currency,
      pending: sumOf(sums.pending),
      available: sumOf(sums.available),
      requested: sumOf(sums.requested),
      paid: sumOf(sums.paid),
    })),
  },
  orders: orders.map(presentOrder),
  payments: payments.map(presentPayment),
  connections: connections.map(presentConnection),
})
