import { fetchDueDays } from '#accounting/settlement/fetch-daily.ts'
import { deleteOldSettlements } from '#accounting/settlement/settlement.service.ts'
import { makeDueBackup } from '#care/backup/make-backup.ts'
import { watchShop } from '#care/doctor/watch-shop.ts'
import { sendWebhooks } from '#care/webhooks/send-webhooks.ts'
import { deleteOldDeliveries } from '#care/webhooks/webhooks.service.ts'
import { deleteOldSums } from '#desk/operators/approve-sum.ts'
import { deleteOldFarewells } from '#desk/profile/profile.service.ts'
import { deleteOldStatements } from '#money/cancellations/statements.service.ts'
import { watchDisputes } from '#money/disputes/fetch-disputes.ts'
import { deleteOldHints } from '#money/disputes/unanswered.ts'
import { watchCardGateway } from '#money/gateway/watch-card-gateway.ts'
import { findLost } from '#money/payments/exceptions/find-lost.ts'
import { deleteOldUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { deleteOldCounts, forgetNetworks, forgetOldPlaces } from '#money/payments/payments.service.ts'
import { checkPayments } from '#money/payments/updates/check-payments.ts'
import { deleteOldReturns } from '#money/refunds/refunds.service.ts'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import { askAgain } from '#money/vies/ask-again.ts'
import { deleteEndedConnections } from '#network/connections/connections.service.ts'
import { renewKeys } from '#network/connections/renew-keys.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { deleteOldDays, deleteOldHours, deleteOldMinutes } from '#network/nodes/nodes.service.ts'
import { reachNodes } from '#network/nodes/reach-nodes.ts'
import { deleteOldDocuments } from '#partners/commissions/documents.service.ts'
import { creditAndReleaseEarnings } from '#partners/earnings/earnings.service.ts'
import { deleteOldBooks } from '#partners/ledger/old-books.ts'
import { forgetBankDetails } from '#partners/withdrawals/withdrawals.service.ts'
import { deleteEndedLinks, deleteOldUnconfirmed } from '#people/accounts/accounts.service.ts'
import { deleteOldEmailChanges } from '#people/accounts/email-change.service.ts'
import { readReturnedMails } from '#people/accounts/returned-mails.ts'
import { deleteOldConversations } from '#people/conversations/conversations.service.ts'
import { deleteOldActions } from '#people/operators/operator-actions.ts'
import { checkRecord, deleteOldEntries, sealRecord } from '#people/operators/operator-record.ts'
import { deleteEndedOfOperators } from '#people/operators/operators.service.ts'
import { deleteOldSecondPersons } from '#people/operators/second-person.ts'
import { deletePendingApps } from '#people/second-step/second-step.service.ts'
import { endOverdueSecondSteps } from '#people/second-step/way-back.ts'
import { deleteOldEvents } from '#people/security-events/security-events.ts'
import { deleteEnded } from '#people/sessions/sessions.service.ts'
import { endOverdueLinks } from '#people/share-links/share-links.ts'
import { withTimeouts } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { deleteEndedRateCounts } from '#platform/http/limits/rate-counter.ts'
import { createRepeats } from '#platform/instrumentation/repeats.ts'
import { addJob, RECURRING_JOBS, type RecurringJob } from '#platform/queue/add-job.ts'
import { abandonStuckRuns, deleteLeftRuns, deleteWaitingRuns } from '#platform/queue/recurring-runs.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'
import { unlessStopped } from '#platform/queue/unless-stopped.ts'
import { releaseDeadWorkers } from '#platform/queue/workers.ts'
import { deleteOldInvoices } from '#sales/invoices/invoices.service.ts'
import { issueDueCreditNotes } from '#sales/invoices/issue-credit-notes.ts'
import { issueDueInvoices } from '#sales/invoices/issue-invoices.ts'
import { deleteOldBuyers } from '#sales/orders/erased-buyers.ts'
import { deleteOldSales, deleteUntriedOrders } from '#sales/orders/old-orders.ts'
import { remindOfEnds } from '#sales/renewals/remind-of-ends.ts'

type Recurrence = {
  everySeconds: number
  /** How long after a start it is first run. */
  firstAfterSeconds: number
  run: (deps: ShopDependencies) => Promise<unknown>
}

const tidyTables = ({ db, ...deps }: ShopDependencies): Promise<void> =>
  runAllSteps([
    () => releaseDeadWorkers(db),
    () => deleteLeftRuns(db),
    () => endOverdueSecondSteps({ db, ...deps }),
    () => deletePendingApps(db),
    () => deleteEnded(db),
    () => deleteEndedOfOperators(db),
    () => deleteEndedLinks(db),
    () => deleteOldEmailChanges(db),
    () => deleteOldEvents(db),
    () => deleteOldUnconfirmed({ db, ...deps }),
    () => deleteEndedRateCounts(db),
    () => deleteOldFarewells(db),
    () => deleteOldBuyers(db),
    () => deleteOldInvoices(db),
    () => deleteOldDocuments(db),
    () => deleteUntriedOrders(db),
    () => deleteOldSales(db),
    () => deleteOldActions(db),
    () => sealRecord({ db, ...deps }),
    () => deleteOldEntries(db),
    () => deleteOldSecondPersons(db),
    () => deleteOldSums(db),
    () => deleteEndedConnections({ db, ...deps }),
    () => endOverdueLinks(db),
    () => deleteOldConversations(db),
    () => deleteOldStatements(db),
    () => forgetBankDetails(db),
    () => deleteOldBooks(db),
    () => deleteOldSettlements(db),
    () => deleteOldCounts(db),
    () => deleteOldReturns(db),
    () => forgetNetworks(db),
    () => forgetOldPlaces(db),
    () => deleteOldUnknown(db),
    () => deleteOldDays(db),
    () => deleteOldMinutes(db),
    () => deleteOldHours(db),
    () => deleteOldHints(db),
    () => deleteOldDeliveries(db),
  ])

/** Locked rows are left for the next run. */
const TIDY_LOCK_MS = 5_000

const tidyUp = (deps: ShopDependencies): Promise<void> =>
  withTimeouts(deps.db, { lock_timeout: TIDY_LOCK_MS }, (db) => tidyTables({ ...deps, db }))

/** Invoices first: a credit note names one. */
const issuePapers = (deps: ShopDependencies): Promise<void> =>
  runAllSteps([() => issueDueInvoices(deps), () => issueDueCreditNotes(deps)])

const RECURRENCES: Readonly<Record<RecurringJob, Recurrence>> = {
  'check-payments': { everySeconds: 5, firstAfterSeconds: 1, run: checkPayments },
  'issue-invoices': { everySeconds: 5, firstAfterSeconds: 1, run: issuePapers },
  'ask-vies-again': { everySeconds: 3_600, firstAfterSeconds: 120, run: askAgain },
  'credit-partners': { everySeconds: 2, firstAfterSeconds: 1, run: creditAndReleaseEarnings },
  'maintain-nodes': { everySeconds: 10, firstAfterSeconds: 1, run: maintainNodes },
  'reach-nodes': {
    everySeconds: 15,
    firstAfterSeconds: 5,
    run: (deps) => unlessStopped(reachNodes(deps), deps.stopping),
  },
  'fetch-settlement': {
    everySeconds: 3_600,
    firstAfterSeconds: 600,
    run: (deps) => runAllSteps([() => fetchDueDays(deps), () => findLost(deps)]),
  },
  'remind-of-ends': { everySeconds: 60, firstAfterSeconds: 60, run: remindOfEnds },
  'renew-keys': { everySeconds: 60, firstAfterSeconds: 90, run: renewKeys },
  'watch-disputes': { everySeconds: 30, firstAfterSeconds: 30, run: watchDisputes },
  'watch-card-gateway': { everySeconds: 20, firstAfterSeconds: 20, run: watchCardGateway },
  'send-webhooks': { everySeconds: 5, firstAfterSeconds: 2, run: sendWebhooks },
  'watch-shop': {
    everySeconds: 35,
    firstAfterSeconds: 40,
    run: (deps) => unlessStopped(watchShop(deps), deps.stopping),
  },
  'read-returned-mails': {
    everySeconds: 600,
    firstAfterSeconds: 300,
    run: (deps) => unlessStopped(readReturnedMails(deps), deps.stopping),
  },
  'make-backup': { everySeconds: 60, firstAfterSeconds: 50, run: makeDueBackup },
  'check-record': { everySeconds: 3_600, firstAfterSeconds: 300, run: checkRecord },
  'tidy-up': { everySeconds: 60, firstAfterSeconds: 60, run: tidyUp },
}

/** One run that fails gives no job up: it is followed by the next, as often as that happens. */
const FOR_EVER = 32_767

type Plan = { inSeconds: number; isOnce?: boolean }

/** One key a job: however many processes plan it, it is in the queue once. */
const plan = (deps: With<'db'>, name: RecurringJob, when: Plan) =>
  addJob(deps.db, name, {}, { key: name, maxAttempts: FOR_EVER, ...when })

const planMissing = async (deps: With<'db'>): Promise<void> => {
  for (const name of RECURRING_JOBS)
    await plan(deps, name, { inSeconds: RECURRENCES[name].firstAfterSeconds, isOnce: true })
}

/** Where a run is stuck, or its process is gone and the database has not noticed, the job comes round without it. */
export const replaceStuckRuns = async (deps: With<'db'>): Promise<void> => {
  await abandonStuckRuns(deps.db)
  await planMissing(deps)
}

/**
 * Puts every recurring job into the queue, at every start. One that runs in another process is left: it plans its next run
 * itself. What waits is planned anew, so that nothing of another version is left, or of a run that could not end.
 */
export const planRecurringJobs = async (deps: With<'db'>): Promise<void> => {
  await deleteWaitingRuns(deps.db)
  await replaceStuckRuns(deps)
}

/** A run that is stuck keeps its worker, though the job comes round without it: more of them would take those of all others. */
const MOST_UNDER_WAY = 2

export const recurringTasks = (deps: ShopDependencies): Record<RecurringJob, () => Promise<void>> => {
  const task = (name: RecurringJob) => {
    let underWay = 0
    return async () => {
      if (underWay >= MOST_UNDER_WAY) throw new Error(`${underWay} runs of it are stuck in this process`)
      underWay++
      try {
        await RECURRENCES[name].run(deps)
      } finally {
        underWay--
      }
    }
  }
  return {
    'check-payments': task('check-payments'),
    'issue-invoices': task('issue-invoices'),
    'ask-vies-again': task('ask-vies-again'),
    'credit-partners': task('credit-partners'),
    'maintain-nodes': task('maintain-nodes'),
    'reach-nodes': task('reach-nodes'),
    'fetch-settlement': task('fetch-settlement'),
    'remind-of-ends': task('remind-of-ends'),
    'renew-keys': task('renew-keys'),
    'watch-disputes': task('watch-disputes'),
    'watch-card-gateway': task('watch-card-gateway'),
    'send-webhooks': task('send-webhooks'),
    'read-returned-mails': task('read-returned-mails'),
    'watch-shop': task('watch-shop'),
    'make-backup': task('make-backup'),
    'check-record': task('check-record'),
    'tidy-up': task('tidy-up'),
  }
}

/**
 * Each plans its next run when it has ended, however it ended: so no two runs are under way at once. A run that fails is
 * told, the same failure again and again only ever more rarely, and is no failed job.
 */
export const createFollowUp = (deps: ShopDependencies) => {
  const failures = createRepeats()
  return async (job: RecurringJob, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run()
      const ended = failures.end(job)
      if (ended > 0) deps.log.info({ job, runs: ended }, 'a recurring job works again')
    } catch (err) {
      const { count, isToTell } = failures.add(job, String(err))
      if (isToTell) deps.log.error({ err, job, runs: count }, 'a recurring job failed, and will run again')
    }
    await plan(deps, job, { inSeconds: RECURRENCES[job].everySeconds })
  }
}
