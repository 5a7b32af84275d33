import { isUuid } from '@hedgerow/domain/ids'
import type { OrderStatus } from '@hedgerow/domain/order-status'
import { listPaymentsForOrder } from '#desk/backoffice/operate-payments.ts'
import { findOrderFacts, listOrderFacts, type OrderFacts } from '#desk/backoffice/order-facts.queries.ts'
import type { PaymentFacts } from '#desk/backoffice/payment-facts.queries.ts'
import { findCustomer, findCustomerByEmail } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export type OrderReport = {
  order: OrderFacts
  /** Every attempt to pay it, the newest first. */
  payments: PaymentFacts[]
  /** Undefined when the account is erased. */
  email: string | undefined
}

/** All there is to say of an order; undefined when there is none. */
export const getOrderReport = async ({ db }: Deps, id: string): Promise<OrderReport | undefined> => {
  const order = isUuid(id) ? await findOrderFacts(db, id) : undefined
  if (!order) return undefined
  const customer = order.customer_id ? await findCustomer(db, order.customer_id) : undefined
  return { order, payments: await listPaymentsForOrder({ db }, id), email: customer?.email }
}

/** An account's newest. */
export const listOrdersOf = ({ db }: Deps, customerId: string, limit: number): Promise<OrderFacts[]> =>
  listOrderFacts(db, { since: new Date(0), customerId }, limit)

type Search = { since: Date; status?: OrderStatus | undefined; email?: string | undefined }

/** The newest orders that a search finds; undefined when no account has the e-mail. */
export const searchOrders = async (
  { db }: Deps,
  { email, ...filter }: Search,
  limit: number,
): Promise<OrderFacts[] | undefined> => {
  if (email === undefined) return listOrderFacts(db, filter, limit)
  const customer = await findCustomerByEmail(db, email)
  return customer && listOrderFacts(db, { ...filter, customerId: customer.id }, limit)
}
