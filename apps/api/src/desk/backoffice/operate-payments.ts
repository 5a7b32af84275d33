import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import type { AttentionItem } from '#care/telemetry/attention-items.ts'
import {
  findFacts,
  listFacts,
  listFactsOfOrder,
  type PaymentFacts,
} from '#desk/backoffice/payment-facts.queries.ts'
import { listDisputesOf } from '#money/disputes/disputes.service.ts'
import { listRefunds, type RefundRow } from '#money/refunds/refunds.service.ts'
import { findCustomer, findCustomerByEmail } from '#people/accounts/customers.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export type PaymentReport = {
  payment: PaymentFacts
  refunds: RefundRow[]
  disputes: DisputeRow[]
  /** Undefined when the account is erased. */
  email: string | undefined
}

/** All there is to say of a payment; undefined when there is none. */
export const getPaymentReport = async ({ db }: Deps, id: string): Promise<PaymentReport | undefined> => {
  const payment = await findFacts(db, id)
  if (!payment) return undefined
  const customer = payment.customer_id ? await findCustomer(db, payment.customer_id) : undefined
  return {
    payment,
    refunds: await listRefunds(db, [id]),
    disputes: await listDisputesOf(db, [id]),
    email: customer?.email,
  }
}

/** Every attempt to pay an order, the newest first. */
export const listPaymentsForOrder = ({ db }: Deps, orderId: string): Promise<PaymentFacts[]> =>
  listFactsOfOrder(db, orderId)

/** The newest attempts of an account. */
export const listPaymentsBy = ({ db }: Deps, customerId: string, limit: number): Promise<PaymentFacts[]> =>
  listFacts(db, { since: new Date(0), customerId }, limit)

type Search = {
  since: Date
  attentionItem?: AttentionItem | undefined
  status?: PaymentStatus | undefined
  email?: string | undefined
}

/** The newest payments that a search finds; undefined when no account has the e-mail. */
export const searchPayments = async (
  { db }: Deps,
  { email, ...filter }: Search,
  limit: number,
): Promise<PaymentFacts[] | undefined> => {
  if (email === undefined) return listFacts(db, filter, limit)
  const customer = await findCustomerByEmail(db, email)
  return customer && listFacts(db, { ...filter, customerId: customer.id }, limit)
}
