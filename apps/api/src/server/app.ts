import cookie from '@fastify/cookie'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { measureAnswers } from '#care/telemetry/metrics.ts'
import { plansRoutes } from '#catalogue/plans/plans.routes.ts'
import { profileRoutes } from '#desk/profile/profile.routes.ts'
import { cancellationsRoutes } from '#money/cancellations/cancellations.routes.ts'
import { disputesRoutes } from '#money/disputes/disputes.routes.ts'
import { paymentsRoutes } from '#money/payments/payments.routes.ts'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import { guardAgents } from '#network/agents/agent-guard.ts'
import { agentsRoutes } from '#network/agents/agents.routes.ts'
import { connectionsRoutes } from '#network/connections/connections.routes.ts'
import { locationsRoutes } from '#network/nodes/locations.routes.ts'
import { statusRoutes } from '#network/status/status.routes.ts'
import { partnershipRoutes } from '#partners/partnership/partnership.routes.ts'
import { accountsRoutes } from '#people/accounts/accounts.routes.ts'
import { emailChangeRoutes } from '#people/accounts/email-change.routes.ts'
import { conversationsRoutes } from '#people/conversations/conversations.routes.ts'
import { passkeysRoutes } from '#people/passkeys/passkeys.routes.ts'
import { secondStepRoutes } from '#people/second-step/second-step.routes.ts'
import { findSessionCustomer } from '#people/sessions/sessions.service.ts'
import { createHttp } from '#platform/http/create-http.ts'
import { requireCsrfToken } from '#platform/http/csrf.ts'
import type { LegalDocuments } from '#platform/http/files/legal-texts.ts'
import { addSecurityTxt } from '#platform/http/files/security-txt.ts'
import { readNotFoundPage, serveStorefront } from '#platform/http/files/storefront-files.ts'
import { addHealth } from '#platform/http/health.ts'
import { addRateLimits } from '#platform/http/limits/rate-limits.ts'
import { answerUnknownPaths } from '#platform/http/not-found.ts'
import { describeApi, shopApi } from '#platform/http/openapi.ts'
import { guardAnswers } from '#platform/http/security-headers.ts'
import { guardSessions } from '#platform/http/session.ts'
import { announcementRoutes } from '#platform/running-settings/announcement.routes.ts'
import { pricesRoutes } from '#platform/running-settings/prices.routes.ts'
import { invoicesRoutes } from '#sales/invoices/invoices.routes.ts'
import { ordersRoutes } from '#sales/orders/orders.routes.ts'

type AppOptions = {
  deps: ShopDependencies
  log: FastifyBaseLogger
  registry: Registry
  legalDocuments: LegalDocuments
  /** The built storefront; left out, only the API is served. */
  storefrontDir?: string
  /** Where the files of its other versions are. */
  keptAssets?: string | undefined
  /** Whether this process is about to stop. */
  isLeaving: () => boolean
}

/** The whole HTTP interface, in the order in which a request passes it. */
export const buildApp = async ({
  deps,
  log,
  registry,
  legalDocuments,
  storefrontDir,
  keptAssets,
  isLeaving,
}: AppOptions): Promise<FastifyInstance> => {
  const { settings } = deps
  const { http, makeKnown } = createHttp(log, { ...settings, isLeaving, keyedHash: deps.keyedHash })
  // Agents that wait for changes would hold the stop for as long as they wait.
  http.addHook('preClose', async () => deps.nodeSignal.stop())
  await http.register(cookie)
  addRateLimits(http, deps)
  await describeApi(http, shopApi(settings))
  measureAnswers(http, registry)
  requireCsrfToken(http)
  guardSessions(http, (token) => findSessionCustomer(deps, token))
  guardAgents(http, deps)

  await http.register(async (api) => {
    guardAnswers(api)
    addHealth(api, deps, isLeaving)
    addSecurityTxt(api, settings)
    accountsRoutes(api, deps)
    passkeysRoutes(api, deps)
    emailChangeRoutes(api, deps)
    secondStepRoutes(api, deps)
    profileRoutes(api, deps)
    ordersRoutes(api, deps)
    invoicesRoutes(api, deps)
    paymentsRoutes(api, deps)
    cancellationsRoutes(api, deps)
    disputesRoutes(api, deps)
    connectionsRoutes(api, deps)
    agentsRoutes(api, deps)
    locationsRoutes(api, deps)
    plansRoutes(api, deps)
    partnershipRoutes(api, deps)
    conversationsRoutes(api, deps)
    statusRoutes(api, deps)
    announcementRoutes(api, deps)
    pricesRoutes(api, deps)
  })
  answerUnknownPaths(http, storefrontDir && readNotFoundPage(storefrontDir))
  if (storefrontDir)
    await http.register((pages) =>
      serveStorefront(pages, { root: storefrontDir, keptAssets, settings, legalDocuments, makeKnown }),
    )
  await http.ready()
  return http
}
