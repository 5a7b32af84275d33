import cookie from '@fastify/cookie'
import { consoleRoutes } from '@hedgerow/contract/console/routes'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { statementsRoutes } from '#desk/cancellations/statements.routes.ts'
import { checksRoutes } from '#desk/checks/checks.routes.ts'
import { connectionsRoutes } from '#desk/connections/connections.routes.ts'
import { serveConsoleFiles } from '#desk/console/console-files.ts'
import { liveRoutes } from '#desk/console/live.routes.ts'
import type { LiveEvents } from '#desk/console/live-events.ts'
import type { ConsoleListDependencies } from '#desk/console/serve-list.ts'
import { sessionRoutes } from '#desk/console/session.routes.ts'
import { customersRoutes } from '#desk/customers/customers.routes.ts'
import { disputesRoutes } from '#desk/disputes/disputes.routes.ts'
import { inboxRoutes } from '#desk/inbox/inbox.routes.ts'
import { incidentsRoutes } from '#desk/incidents/incidents.routes.ts'
import { bookFilesRoutes } from '#desk/invoices/book-files.routes.ts'
import { invoicePdfRoutes, invoicesRoutes } from '#desk/invoices/invoices.routes.ts'
import { jobsRoutes } from '#desk/jobs/jobs.routes.ts'
import { monthPdfRoutes, monthRoutes } from '#desk/month/month.routes.ts'
import { nodesRoutes } from '#desk/nodes/nodes.routes.ts'
import { operatorsRoutes } from '#desk/operators/operators.routes.ts'
import { ownAccountRoutes } from '#desk/operators/own-account.routes.ts'
import { ordersRoutes } from '#desk/orders/orders.routes.ts'
import { partnersRoutes } from '#desk/partners/partners.routes.ts'
import { paymentsRoutes } from '#desk/payments/payments.routes.ts'
import { plansRoutes } from '#desk/plans/plans.routes.ts'
import { promocodesRoutes } from '#desk/promocodes/promocodes.routes.ts'
import { ratesRoutes } from '#desk/rates/rates.routes.ts'
import { reconciliationRoutes } from '#desk/reconciliation/reconciliation.routes.ts'
import { recordRoutes } from '#desk/record/record.routes.ts'
import { returnsRoutes } from '#desk/returns/returns.routes.ts'
import { searchRoutes } from '#desk/search/search.routes.ts'
import { secondPersonsRoutes } from '#desk/second-persons/second-persons.routes.ts'
import { setUpRoutes } from '#desk/set-up/set-up.routes.ts'
import { settingsRoutes } from '#desk/settings/settings.routes.ts'
import { settlementRoutes } from '#desk/settlement/settlement.routes.ts'
import { todayRoutes } from '#desk/today/today.routes.ts'
import { unknownPaymentsRoutes } from '#desk/unknown-payments/unknown-payments.routes.ts'
import { vatEvidenceRoutes } from '#desk/vat-evidence/vat-evidence.routes.ts'
import { webhooksRoutes } from '#desk/webhooks/webhooks.routes.ts'
import { bankAnswersRoutes } from '#desk/withdrawals/bank-answers.routes.ts'
import { batchesRoutes } from '#desk/withdrawals/batches.routes.ts'
import { commissionPdfRoutes, withdrawalsRoutes } from '#desk/withdrawals/withdrawals.routes.ts'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import { guardOperators } from '#people/operators/guard-operators.ts'
import type { OpenAnswers } from '#people/operators/open-answers.ts'
import { knownOperatorBrowsers } from '#people/operators/ways-in.ts'
import { createHttp } from '#platform/http/create-http.ts'
import { requireCsrfToken } from '#platform/http/csrf.ts'
import { addRateLimits } from '#platform/http/limits/rate-limits.ts'
import { answerUnknownPaths } from '#platform/http/not-found.ts'
import { consoleApi, describeApi } from '#platform/http/openapi.ts'
import { guardAnswers } from '#platform/http/security-headers.ts'
import type { Settings } from '#platform/settings.ts'

export type ConsoleDependencies = ShopDependencies &
  ConsoleListDependencies & { liveEvents: LiveEvents; openAnswers: OpenAnswers; startedWith: Settings }

type ConsoleOptions = {
  deps: ConsoleDependencies
  log: FastifyBaseLogger
  /** The built console; left out, only its API is served. */
  consoleDir?: string
  /** Where the files of its other versions are. */
  keptAssets?: string | undefined
  /** Whether this process is about to stop. */
  isLeaving: () => boolean
}

/** The operators' HTTP interface: a listener of its own, which shares nothing with the shop's but the services. */
export const buildConsole = async ({
  deps: given,
  log,
  consoleDir,
  keptAssets,
  isLeaving,
}: ConsoleOptions): Promise<FastifyInstance> => {
  const { settings } = given
  const deps: ConsoleDependencies = { ...given, knownBrowsers: knownOperatorBrowsers(given) }
  const { http } = createHttp(log, { ...settings, publicUrl: settings.consoleUrl, isLeaving })
  await http.register(cookie)
  addRateLimits(http, deps)
  await describeApi(http, consoleApi(settings, consoleRoutes))
  requireCsrfToken(http)
  guardOperators(http, deps)

  await http.register(async (api) => {
    guardAnswers(api)
    sessionRoutes(api, deps)
    operatorsRoutes(api, deps)
    ownAccountRoutes(api, deps)
    secondPersonsRoutes(api, deps)
    recordRoutes(api, deps)
    searchRoutes(api, deps)
    todayRoutes(api, deps, settings.warnings)
    liveRoutes(api, deps)
    customersRoutes(api, deps)
    connectionsRoutes(api, deps)
    inboxRoutes(api, deps)
    nodesRoutes(api, deps)
    plansRoutes(api, deps)
    promocodesRoutes(api, deps)
    partnersRoutes(api, deps)
    withdrawalsRoutes(api, deps)
    commissionPdfRoutes(api, deps)
    batchesRoutes(api, deps)
    bankAnswersRoutes(api, deps)
    invoicesRoutes(api, deps)
    invoicePdfRoutes(api, deps)
    bookFilesRoutes(api, deps)
    returnsRoutes(api, deps)
    vatEvidenceRoutes(api, deps)
    monthRoutes(api, deps)
    monthPdfRoutes(api, deps)
    ratesRoutes(api, deps)
    settlementRoutes(api, deps)
    settingsRoutes(api, deps)
    unknownPaymentsRoutes(api, deps)
    statementsRoutes(api, deps)
    reconciliationRoutes(api, deps)
    jobsRoutes(api, deps)
    incidentsRoutes(api, deps)
    checksRoutes(api, deps)
    setUpRoutes(api, deps)
    webhooksRoutes(api, deps)
    paymentsRoutes(api, deps)
    disputesRoutes(api, deps)
    ordersRoutes(api, deps)
  })
  answerUnknownPaths(http, undefined)
  if (consoleDir) await serveConsoleFiles(http, deps, consoleDir, keptAssets)
  await http.ready()
  return http
}
