import { isUuid } from '@hedgerow/domain/ids'
import { findCustomer, findCustomerByEmail } from '#accounts/accounts.queries.ts'
import type { CustomerRow } from '#accounts/accounts.table.ts'
import { type FoundCustomer, searchCustomerRows } from '#accounts/search-customers.queries.ts'
import type { ConnectionFacts } from '#connections/connection-facts.queries.ts'
import { listConnectionsOf } from '#connections/operate-connections.ts'
import type { Dependencies } from '#dependencies.ts'
import { listOrdersOf } from '#orders/operate-orders.ts'
import type { OrderFacts } from '#orders/order-facts.queries.ts'
import { getPartnerReport, type PartnerReport } from '#partnership/operate-partners.ts'
import type { PaymentFacts } from '#payments/payment-facts.queries.ts'
import { listPaymentsBy } from '#payments/payment-facts.ts'
import { Problem } from '#problems.ts'

type Deps = Pick<Dependencies, 'db'>

export const searchCustomers = ({ db }: Deps, words: string, limit: number): Promise<FoundCustomer[]> =>
  searchCustomerRows(db, words, limit)

/** By the e-mail or the id. */
export const findAccount = async ({ db }: Deps, emailOrId: string): Promise<CustomerRow | undefined> => {
  if (emailOrId.includes('@')) return findCustomerByEmail(db, emailOrId)
  return isUuid(emailOrId) ? findCustomer(db, emailOrId) : undefined
}

export type CustomerReport = {
  account: CustomerRow
  /** The newest of each, and one more than asked for where there are more. */
  orders: OrderFacts[]
  payments: PaymentFacts[]
  connections: ConnectionFacts[]
  partner: Omit<PartnerReport, 'transfers'>
}

/** What the operator is told of an account: no keys, and no card. */
export const getCustomerReport = async (
  deps: Deps,
  account: CustomerRow,
  limit: number,
): Promise<CustomerReport> => {
  const { id } = account
  const partner = await getPartnerReport(deps, id, 0)
  // Erased meanwhile.
  if (!partner) throw new Problem('not-signed-in')
  return {
    account,
    orders: await listOrdersOf(deps, id, limit + 1),
    payments: await listPaymentsBy(deps, id, limit + 1),
    connections: await listConnectionsOf(deps, id, limit + 1),
    partner,
  }
}
