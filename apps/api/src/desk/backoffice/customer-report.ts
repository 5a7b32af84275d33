import { isUuid } from '@hedgerow/domain/ids'
import { getPartnerReport, type PartnerReport } from '#desk/backoffice/operate-partners.ts'
import { listPaymentsBy } from '#desk/backoffice/operate-payments.ts'
import type { PaymentFacts } from '#desk/backoffice/payment-facts.queries.ts'
import { type FoundCustomer, searchCustomerRows } from '#desk/backoffice/search-customers.queries.ts'
import { type ConnectionFacts, listConnectionFactsOf } from '#desk/connections/connection-facts.queries.ts'
import { listOrderFactsOf, type OrderFacts } from '#desk/orders/order-facts.queries.ts'
import { findCustomer, findCustomerByEmail } from '#people/accounts/customers.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db'>

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
    orders: await listOrderFactsOf(deps.db, id, limit + 1),
    payments: await listPaymentsBy(deps, id, limit + 1),
    connections: await listConnectionFactsOf(deps.db, id, limit + 1),
    partner,
  }
}
