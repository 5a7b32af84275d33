import { listConnectionFactsOf } from '#desk/connections/connection-facts.queries.ts'
import { listActsAbout } from '#desk/customers/customer-acts.queries.ts'
import { findCustomerFacts } from '#desk/customers/customer-facts.queries.ts'
import { findReset, listNotes } from '#desk/customers/customer-notes.queries.ts'
import { getAccountActivity } from '#desk/customers/guard-account.ts'
import { listOrderFactsOf } from '#desk/orders/order-facts.queries.ts'
import { getPartnerReport } from '#desk/partners/partner-reports.ts'
import { listFactsOfCustomer } from '#desk/payments/payment-facts.queries.ts'
import { listRefunds } from '#money/refunds/refunds.service.ts'
import { listConversationsOf } from '#people/conversations/conversations.service.ts'
import type { With } from '#platform/dependencies.ts'

/** So many of each stand on a person's page; the lists have the rest. */
const SHOWN = 10
const MOST_ACTS = 30

/** All that stands on the page of one customer; undefined when there is none. */
export const findCustomerPage = async (deps: With<'db'>, id: string) => {
  const { db } = deps
  const facts = await findCustomerFacts(db, id)
  const partner = facts && (await getPartnerReport(deps, id, 0))
  if (!facts || !partner) return undefined
  const payments = await listFactsOfCustomer(db, id, SHOWN)
  const connections = await listConnectionFactsOf(db, id, SHOWN)
  const conversations = await listConversationsOf(db, id, SHOWN)
  const shown = [...payments, ...connections, ...conversations].map((one) => one.id)
  return {
    facts,
    partner,
    orders: await listOrderFactsOf(db, id, SHOWN),
    payments,
    connections,
    refunds: await listRefunds(
      db,
      payments.map((one) => one.id),
    ),
    acts: await listActsAbout(db, [id, ...shown], MOST_ACTS),
    activity: await getAccountActivity(deps, id, SHOWN),
    conversations,
    notes: await listNotes(db, id),
    reset: await findReset(db, id),
  }
}
