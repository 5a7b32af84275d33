import { findCustomerFacts } from '#desk/backoffice/customer-facts.queries.ts'
import { findReset, listNotes } from '#desk/backoffice/customer-notes.queries.ts'
import { getCustomerReport } from '#desk/backoffice/customer-report.ts'
import { getAccountActivity } from '#desk/backoffice/guard-account.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import { listConversationsOf } from '#people/conversations/conversations.service.ts'
import type { With } from '#platform/dependencies.ts'

/** So many of each stand on a person's page; the lists have the rest. */
const SHOWN = 10

/** All that stands on the page of one customer; undefined when there is none. */
export const findCustomerPage = async ({ db }: With<'db'>, id: string) => {
  const facts = await findCustomerFacts(db, id)
  const account = facts && (await findCustomer(db, id))
  if (!facts || !account) return undefined
  return {
    facts,
    report: await getCustomerReport({ db }, account, SHOWN),
    activity: await getAccountActivity({ db }, id, SHOWN),
    conversations: await listConversationsOf(db, id, SHOWN),
    notes: await listNotes(db, id),
    reset: await findReset(db, id),
  }
}
