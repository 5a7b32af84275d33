import { deleteEndedSessionsAndLinks, deleteOldUnconfirmed } from '#accounts/accounts.service.ts'
import { deleteOldStatements } from '#cancellations/statements.service.ts'
import { deleteEndedConnections } from '#connections/connections.service.ts'
import { deleteOldConversations } from '#conversations/conversations.service.ts'
import { withTimeouts } from '#database/client.ts'
import { deleteEndedRateCounts } from '#http/rate-counter.ts'
import { deleteOldInvoices } from '#invoices/invoices.service.ts'
import { issueDueInvoices } from '#invoices/issue-invoices.ts'
import { maintainNodes } from '#nodes/maintain-nodes.ts'
import { deleteOldActions } from '#operators/operator-actions.ts'
import { settlePartners } from '#partnership/earnings.service.ts'
import { deleteOldBooks } from '#partnership/old-books.ts'
import { forgetBankDetails } from '#partnership/withdrawals.service.ts'
import { checkPayments } from '#payments/check-payments.ts'
import { deleteOldCounts, forgetNetworks } from '#payments/payments.service.ts'
import { deleteOldUnknown } from '#payments/unknown-payments.ts'
import { deleteOldFarewells } from '#profile/profile.service.ts'
import { addJob, RECURRING_JOBS, type RecurringJob } from '#queue/add-job.ts'
import { releaseDeadWorkers } from '#queue/workers.ts'
import { remindOfEnds } from '#renewals/remind-of-ends.ts'
import { endOverdueLinks } from '#share-links/share-links.ts'
import type { ShopDependencies } from '#shop-dependencies.ts'

type Recurrence = {
  everySeconds: number
  /** How long after a start it is first run. */
  firstAfterSeconds: number
  run: (deps: ShopDependencies) => Promise<unknown>
}

const tidyTables = async (deps: ShopDependencies): Promise<void> => {
  await releaseDeadWorkers(deps.db)
  await deleteEndedSessionsAndLinks(deps.db)
  await deleteOldUnconfirmed(deps)
  await deleteEndedRateCounts(deps.db)
  await deleteOldFarewells(deps.db)
  await deleteOldInvoices(deps.db)
  await deleteOldActions(deps.db)
  await deleteEndedConnections(deps)
  await endOverdueLinks(deps.db)
  await deleteOldConversations(deps.db)
  await deleteOldStatements(deps.db)
  await forgetBankDetails(deps.db)
  await deleteOldBooks(deps.db)
  await deleteOldCounts(deps.db)
  await forgetNetworks(deps.db)
  await deleteOldUnknown(deps.db)
}

/** What has piled up while no shop ran may take a while to delete; nobody waits for it. */
const tidyUp = (deps: ShopDependencies): Promise<void> =>
  withTimeouts(deps.db, { statement_timeout: 0 }, (db) => tidyTables({ ...deps, db }))

const RECURRENCES: Readonly<Record<RecurringJob, Recurrence>> = {
  'check-payments': { everySeconds: 5, firstAfterSeconds: 1, run: checkPayments },
  'issue-invoices': { everySeconds: 5, firstAfterSeconds: 1, run: issueDueInvoices },
  'credit-partners': { everySeconds: 2, firstAfterSeconds: 1, run: settlePartners },
  'maintain-nodes': { everySeconds: 10, firstAfterSeconds: 1, run: maintainNodes },
  'remind-of-ends': { everySeconds: 60, firstAfterSeconds: 60, run: remindOfEnds },
  'tidy-up': { everySeconds: 60, firstAfterSeconds: 60, run: tidyUp },
}

/** One key a job: however many processes plan it, it is in the queue once. */
const plan = (deps: ShopDependencies, name: RecurringJob, inSeconds: number) =>
  addJob(deps.db, name, {}, { key: name, inSeconds })

/** Puts every recurring job into the queue, at every start. */
export const planRecurringJobs = async (deps: ShopDependencies): Promise<void> => {
  for (const name of RECURRING_JOBS) await plan(deps, name, RECURRENCES[name].firstAfterSeconds)
}

/** Each plans its next run before it works: a run that fails is followed by the next all the same. */
export const recurringTasks = (deps: ShopDependencies): Record<RecurringJob, () => Promise<void>> => {
  const task = (name: RecurringJob) => async () => {
    await plan(deps, name, RECURRENCES[name].everySeconds)
    await RECURRENCES[name].run(deps)
  }
  return {
    'check-payments': task('check-payments'),
    'issue-invoices': task('issue-invoices'),
    'credit-partners': task('credit-partners'),
    'maintain-nodes': task('maintain-nodes'),
    'remind-of-ends': task('remind-of-ends'),
    'tidy-up': task('tidy-up'),
  }
}
