import cookie from '@fastify/cookie'
import { consoleRoutes } from '@hedgerow/contract/console/routes'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { batchesRoutes } from '#console/batches.routes.ts'
import { booksRoutes } from '#console/books.routes.ts'
import { connectionsConsoleRoutes } from '#console/connections.routes.ts'
import { serveConsoleFiles } from '#console/console-files.ts'
import { customersRoutes } from '#console/customers.routes.ts'
import { disputesRoutes } from '#console/disputes.routes.ts'
import { documentsRoutes } from '#console/documents.routes.ts'
import { houseRoutes } from '#console/house.routes.ts'
import { inboxRoutes } from '#console/inbox.routes.ts'
import { liveRoutes } from '#console/live.routes.ts'
import type { LiveEvents } from '#console/live-events.ts'
import { nodesRoutes } from '#console/nodes.routes.ts'
import { operatorsRoutes } from '#console/operators.routes.ts'
import { consoleOrdersRoutes } from '#console/orders.routes.ts'
import { partnersRoutes } from '#console/partners.routes.ts'
import { paymentsRoutes } from '#console/payments.routes.ts'
import { consolePlansRoutes } from '#console/plans.routes.ts'
import { promocodesRoutes } from '#console/promocodes.routes.ts'
import { ratesRoutes } from '#console/rates.routes.ts'
import { recordRoutes } from '#console/record.routes.ts'
import { searchRoutes } from '#console/search.routes.ts'
import type { ConsoleListDependencies } from '#console/serve-list.ts'
import { sessionRoutes } from '#console/session.routes.ts'
import { settingsRoutes } from '#console/settings.routes.ts'
import { settlementRoutes } from '#console/settlement.routes.ts'
import { straysRoutes } from '#console/strays.routes.ts'
import { todayRoutes } from '#console/today.routes.ts'
import { withdrawalsRoutes } from '#console/withdrawals.routes.ts'
import { createHttp } from '#http/create-http.ts'
import { requireCsrfToken } from '#http/csrf.ts'
import { answerUnknownPaths } from '#http/not-found.ts'
import { consoleApi, describeApi } from '#http/openapi.ts'
import { addRateLimits } from '#http/rate-limits.ts'
import { guardAnswers } from '#http/security-headers.ts'
import { guardOperators } from '#operators/guard-operators.ts'
import type { Settings } from '#settings.ts'
import type { ShopDependencies } from '#shop-dependencies.ts'

export type ConsoleDependencies = ShopDependencies &
  ConsoleListDependencies & { liveEvents: LiveEvents; startedWith: Settings }

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
  deps,
  log,
  consoleDir,
  keptAssets,
  isLeaving,
}: ConsoleOptions): Promise<FastifyInstance> => {
  const { settings } = deps
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
    recordRoutes(api, deps)
    searchRoutes(api, deps)
    todayRoutes(api, deps)
    liveRoutes(api, deps)
    customersRoutes(api, deps)
    connectionsConsoleRoutes(api, deps)
    inboxRoutes(api, deps)
    nodesRoutes(api, deps)
    consolePlansRoutes(api, deps)
    promocodesRoutes(api, deps)
    partnersRoutes(api, deps)
    withdrawalsRoutes(api, deps)
    batchesRoutes(api, deps)
    documentsRoutes(api, deps)
    booksRoutes(api, deps)
    ratesRoutes(api, deps)
    settlementRoutes(api, deps)
    settingsRoutes(api, deps)
    straysRoutes(api, deps)
    houseRoutes(api, deps)
    paymentsRoutes(api, deps)
    disputesRoutes(api, deps)
    consoleOrdersRoutes(api, deps)
  })
  answerUnknownPaths(http, undefined)
  if (consoleDir) await serveConsoleFiles(http, deps, consoleDir, keptAssets)
  await http.ready()
  return http
}
