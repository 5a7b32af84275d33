import type { AccountData } from '@hedgerow/contract/account-data'
import { notesForExport } from '#desk/customers/customer-notes.ts'
import { presentProfile } from '#desk/profile/profile.present.ts'
import { listAllSessions, listFarewells, listLinkTimes } from '#desk/profile/profile.queries.ts'
import { statementsForExport } from '#money/cancellations/statements.service.ts'
import { disputesForExport } from '#money/disputes/disputes-of-customer.ts'
import { unknownForExport } from '#money/payments/exceptions/unknown-payments.ts'
import { paymentsForExport } from '#money/payments/payments-of-customer.ts'
import { connectionsForExport } from '#network/connections/connections.service.ts'
import { partnershipForExport } from '#partners/partnership/partnership-for-export.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import { emailChangesForExport } from '#people/accounts/email-change.service.ts'
import { findReturned } from '#people/accounts/returned-mails.ts'
import { conversationsForExport } from '#people/conversations/conversations.service.ts'
import { listActionsOn } from '#people/operators/operator-actions.ts'
import { secondStepForExport } from '#people/second-step/second-step-for-export.ts'
import { eventsForExport } from '#people/security-events/list-events.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { createConcurrencyLimit } from '#platform/http/limits/concurrency-limit.ts'
import { Problem } from '#platform/http/problems.ts'
import { listJobsNaming } from '#platform/queue/list-jobs.ts'
import type { PartnerSettings } from '#platform/settings.ts'
import { creditNotesForExport, invoicesForExport } from '#sales/invoices/invoices-of-customer.ts'
import { ordersForExport } from '#sales/orders/orders.service.ts'

type Deps = With<'db' | 'keyCipher' | 'settings'> & {
  settings: PartnerSettings
}

const presentAccount = (
  row: CustomerRow,
  returned: Awaited<ReturnType<typeof findReturned>>,
): AccountData['account'] => {
  const { connections: _, ...account } = presentProfile(row, { rows: [], next: null })
  return {
    ...account,
    cameByReferral: row.referred_by !== null,
    goingTo: row.redirect_path,
    connectionsMade: row.connections_made,
    createdAt: row.created_at.toISOString(),
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
    mailReturned: returned ? { how: returned.kind, at: returned.at.toISOString() } : null,
    termsAcceptedAt: row.terms_accepted_at.toISOString(),
  }
}

/** An account of many years is hundreds of kilobytes out of some twenty tables: two at once leave the rest of the pool alone. */
const inTurn = createConcurrencyLimit({ atOnce: 2, waiting: 20 })

/** A slice that holds something offers it by its service, and is named here. */
const gather = async (deps: Deps, customerId: string): Promise<AccountData> => {
  const { db } = deps
  const row = await findCustomer(db, customerId)
  if (!row) throw new Problem('not-signed-in')
  const payments = await paymentsForExport(deps, customerId)
  const connections = await connectionsForExport(deps, customerId)
  const orders = await ordersForExport(deps, customerId)
  const conversations = await conversationsForExport(deps, customerId)
  const cancellationStatements = await statementsForExport(deps, row.email)
  const emailChanges = await emailChangesForExport(deps, customerId)
  const disputes = await disputesForExport(deps, customerId)
  const farewells = await listFarewells(db, row.email)
  const partnership = await partnershipForExport(deps, customerId)
  const ids = [
    customerId,
    ...orders.map(({ orderId }) => orderId),
    ...payments.flatMap(({ paymentId, refunds }) => [paymentId, ...refunds.map(({ refundId }) => refundId)]),
    ...[
      ...connections,
      ...conversations,
      ...cancellationStatements,
      ...emailChanges,
      ...partnership.withdrawals,
    ].map(({ _id }) => _id),
    ...farewells.map(({ id }) => id),
    ...disputes.disputes.map(({ disputeId }) => disputeId),
  ]
  const jobs = await listJobsNaming(db, ids)
  const actions = await listActionsOn(db, ids, row.promocode)
  return {
    exportedAt: new Date().toISOString(),
    account: presentAccount(row, await findReturned(db, row.email)),
    notes: await notesForExport(deps, customerId),
    partnership,
    sessions: (await listAllSessions(db, customerId)).map((session) => ({
      _id: session.id,
      browser: session.browser,
      network: session.network,
      createdAt: session.created_at.toISOString(),
      lastUsedAt: session.last_used_at.toISOString(),
      provedAt: session.proved_at.toISOString(),
      expiresAt: session.expires_at.toISOString(),
    })),
    secondStep: await secondStepForExport(deps, customerId),
    securityEvents: await eventsForExport(deps, customerId),
    mailedLinks: (await listLinkTimes(db, customerId)).map((link) => ({
      purpose: link.purpose,
      createdAt: link.created_at.toISOString(),
      expiresAt: link.expires_at.toISOString(),
      usedAt: link.used_at?.toISOString() ?? null,
    })),
    emailChanges,
    orders,
    payments,
    unknownPayments: await unknownForExport(deps, customerId),
    ...disputes,
    invoices: await invoicesForExport(deps, customerId),
    creditNotes: await creditNotesForExport(deps, customerId),
    connections,
    conversations,
    cancellationStatements,
    jobs: jobs.map(({ task, created_at, run_at }) => ({
      task,
      createdAt: created_at.toISOString(),
      runAt: run_at.toISOString(),
    })),
    farewells: farewells.map(({ created_at }) => ({ createdAt: created_at.toISOString() })),
    operatorActions: actions.map(({ at, command, outcome, ended_at }) => ({
      at: at.toISOString(),
      command,
      outcome,
      endedAt: ended_at?.toISOString() ?? null,
    })),
  }
}

/** Everything held about a customer. Throws 'unavailable' when too many wait for theirs already. */
export const exportAccount = (deps: Deps, customerId: string): Promise<AccountData> =>
  inTurn(() => gather(deps, customerId))
