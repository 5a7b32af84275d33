import type { AccountData } from '@hedgerow/contract/profile'
import { presentProfile } from '#accounts/accounts.present.ts'
import { findCustomer } from '#accounts/accounts.queries.ts'
import { listConnections } from '#connections/connections.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { listEnquiriesForExport } from '#enquiries/enquiries.queries.ts'
import { ordersForExport } from '#orders/orders.service.ts'
import { paymentsForExport } from '#payments/payments-of-customer.ts'
import { Problem } from '#problems.ts'
import { listLinkTimes, listSessionTimes } from './profile.queries.ts'

type Deps = Pick<Dependencies, 'db' | 'keyCipher'>

/** Everything held about a customer: a slice that holds something offers it by its service, and is named here. */
export const exportAccount = async (deps: Deps, customerId: string): Promise<AccountData> => {
  const { db } = deps
  const row = await findCustomer(db, customerId)
  if (!row) throw new Problem('not-signed-in')
  const { connections, version: _, ...account } = presentProfile(row, await listConnections(deps, customerId))
  return {
    exportedAt: new Date().toISOString(),
    account: {
      ...account,
      cameByReferral: row.referred_by !== null,
      createdAt: row.created_at.toISOString(),
      confirmedAt: row.confirmed_at?.toISOString() ?? null,
      termsAcceptedAt: row.terms_accepted_at.toISOString(),
    },
    sessions: (await listSessionTimes(db, customerId)).map((session) => ({
      createdAt: session.created_at.toISOString(),
      expiresAt: session.expires_at.toISOString(),
    })),
    mailedLinks: (await listLinkTimes(db, customerId)).map((link) => ({
      purpose: link.purpose,
      createdAt: link.created_at.toISOString(),
      expiresAt: link.expires_at.toISOString(),
      usedAt: link.used_at?.toISOString() ?? null,
    })),
    orders: await ordersForExport(deps, customerId),
    payments: await paymentsForExport(deps, customerId),
    connections,
    messages: (await listEnquiriesForExport(db, customerId)).map((enquiry) => ({
      kind: enquiry.kind,
      name: enquiry.name,
      text: enquiry.text,
      state: enquiry.state,
      createdAt: enquiry.created_at.toISOString(),
    })),
  }
}
