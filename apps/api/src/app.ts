import cookie from '@fastify/cookie'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { accountsRoutes } from '#accounts/accounts.routes.ts'
import { emailChangeRoutes } from '#accounts/email-change.routes.ts'
import { cancellationsRoutes } from '#cancellations/cancellations.routes.ts'
import { connectionsRoutes } from '#connections/connections.routes.ts'
import { conversationsRoutes } from '#conversations/conversations.routes.ts'
import { disputesRoutes } from '#disputes/disputes.routes.ts'
import { createHttp } from '#http/create-http.ts'
import { requireCsrfToken } from '#http/csrf.ts'
import { addHealth } from '#http/health.ts'
import type { LegalDocuments } from '#http/legal-texts.ts'
import { answerUnknownPaths } from '#http/not-found.ts'
import { describeApi, shopApi } from '#http/openapi.ts'
import { addRateLimits } from '#http/rate-limits.ts'
import { guardAnswers } from '#http/security-headers.ts'
import { addSecurityTxt } from '#http/security-txt.ts'
import { guardSessions } from '#http/session.ts'
import { readNotFoundPage, serveStorefront } from '#http/storefront-files.ts'
import { invoicesRoutes } from '#invoices/invoices.routes.ts'
import { guardAgents } from '#nodes/agent-guard.ts'
import { agentsRoutes } from '#nodes/agents.routes.ts'
import { locationsRoutes } from '#nodes/locations.routes.ts'
import { ordersRoutes } from '#orders/orders.routes.ts'
import { partnershipRoutes } from '#partnership/partnership.routes.ts'
import { paymentsRoutes } from '#payments/payments.routes.ts'
import { plansRoutes } from '#plans/plans.routes.ts'
import { profileRoutes } from '#profile/profile.routes.ts'
import { announcementRoutes } from '#running-settings/announcement.routes.ts'
import { pricesRoutes } from '#running-settings/prices.routes.ts'
import { passkeysRoutes } from '#second-step/passkeys.routes.ts'
import { secondStepRoutes } from '#second-step/second-step.routes.ts'
import { findSessionCustomer } from '#sessions/sessions.service.ts'
import type { ShopDependencies } from '#shop-dependencies.ts'
import { statusRoutes } from '#status/status.routes.ts'
import { measureAnswers } from '#telemetry/metrics.ts'

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
  const { http, makeKnown } = createHttp(log, { ...settings, isLeaving })
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
