import type { Partnership } from '@hedgerow/contract/partnership'
import { isUuid } from '@hedgerow/domain/ids'
import { findCustomer, findCustomerByEmail } from '#accounts/accounts.queries.ts'
import type { CustomerRow } from '#accounts/accounts.table.ts'
import { type FoundCustomer, searchCustomerRows } from '#accounts/search-customers.queries.ts'
import type { ConnectionFacts } from '#connections/connection-facts.queries.ts'
import { listConnectionsOf } from '#connections/operate-connections.ts'
import type { Dependencies } from '#dependencies.ts'
import { listOrdersOf } from '#orders/operate-orders.ts'
import type { OrderFacts } from '#orders/order-facts.queries.ts'
import { getPartnership } from '#partnership/partnership.service.ts'
import type { PaymentFacts } from '#payments/payment-facts.queries.ts'
import { listPaymentsBy } from '#payments/payment-facts.ts'
import type { Settings } from '../settings.ts'

type Deps = Pick<Dependencies, 'db'>

export const searchCustomers = ({ db }: Deps, words: string, limit: number): Promise<FoundCustomer[]> =>
  searchCustomerRows(db, words, limit)

/** By the e-mail or the id. */
export const findAccount = async ({ db }: Deps, emailOrId: string): Promise<CustomerRow | undefined> => {
  if (emailOrId.includes('@')) return findCustomerByEmail(db, emailOrId)
  return isUuid(emailOrId) ? findCustomer(db, emailOrId) : undefined
}

export type CustomerStory = {
  account: CustomerRow
  /** The newest of each. */
  orders: OrderFacts[]
  payments: PaymentFacts[]
  connections: ConnectionFacts[]
  partnership: Partnership
}

/** What the operator is told of an account: no keys, and no card. */
export const tellCustomer = async (
  deps: Deps & { settings: Pick<Settings, 'publicUrl' | 'partnerHoldDays'> },
  account: CustomerRow,
  limit: number,
): Promise<CustomerStory> => {
  const { id } = account
  return {
    account,
    orders: await listOrdersOf(deps, id, limit),
    payments: await listPaymentsBy(deps, id, limit),
    connections: await listConnectionsOf(deps, id, limit),
    partnership: await getPartnership(deps, id),
  }
}
