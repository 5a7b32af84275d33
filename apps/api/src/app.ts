import cookie from '@fastify/cookie'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import { accountsRoutes } from '#accounts/accounts.routes.ts'
import { emailChangeRoutes } from '#accounts/email-change.routes.ts'
import { cancellationsRoutes } from '#cancellations/cancellations.routes.ts'
import { connectionsRoutes } from '#connections/connections.routes.ts'
import { conversationsRoutes } from '#conversations/conversations.routes.ts'
import { disputesRoutes } from '#disputes/disputes.routes.ts'
import { boundPieces, boundPipelining } from '#http/bound-connections.ts'
import { requireCsrfToken } from '#http/csrf.ts'
import { addHealth } from '#http/health.ts'
import type { LegalDocuments } from '#http/legal-texts.ts'
import { answerUnknownPaths, soughtAt } from '#http/not-found.ts'
import { describeApi } from '#http/openapi.ts'
import { refuseOtherMethods } from '#http/other-methods.ts'
import { handleProblems, sendProblem } from '#http/problem-handler.ts'
import { Problem } from '#http/problems.ts'
import { addRateLimits } from '#http/rate-limits.ts'
import { carryRequestId, requestIdOf } from '#http/request-id.ts'
import { commonHeaders, guardAllAnswers, guardAnswers } from '#http/security-headers.ts'
import { addSecurityTxt } from '#http/security-txt.ts'
import { guardSessions } from '#http/session.ts'
import { readNotFoundPage, serveStorefront } from '#http/storefront-files.ts'
import { answerForNode, answerUnreadable } from '#http/unreadable-requests.ts'
import { invoicesRoutes } from '#invoices/invoices.routes.ts'
import { guardAgents } from '#nodes/agent-guard.ts'
import { agentsRoutes } from '#nodes/agents.routes.ts'
import { locationsRoutes } from '#nodes/locations.routes.ts'
import { ordersRoutes } from '#orders/orders.routes.ts'
import { partnershipRoutes } from '#partnership/partnership.routes.ts'
import { paymentsRoutes } from '#payments/payments.routes.ts'
import { plansRoutes } from '#plans/plans.routes.ts'
import { profileRoutes } from '#profile/profile.routes.ts'
import { passkeysRoutes } from '#second-step/passkeys.routes.ts'
import { secondStepRoutes } from '#second-step/second-step.routes.ts'
import { findSessionCustomer } from '#sessions/sessions.service.ts'
import type { ShopDependencies } from '#shop-dependencies.ts'
import { statusRoutes } from '#status/status.routes.ts'
import { measureAnswers } from '#telemetry/metrics.ts'

const BODY_BYTES = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
/** A connection on which nothing moves, neither read nor written, is cut. An agent waits for changes a minute at most. */
const SILENCE_MS = 120_000
/** How late a connection that is too slow may be cut. */
const CHECK_CONNECTIONS_MS = 5_000

type AppOptions = {
  deps: ShopDependencies
  log: FastifyBaseLogger
  registry: Registry
  legalDocuments: LegalDocuments
  /** The built storefront; left out, only the API is served. */
  storefrontDir?: string
}

/** The whole HTTP interface, in the order in which a request passes it. */
export const buildApp = async ({
  deps,
  log,
  registry,
  legalDocuments,
  storefrontDir,
}: AppOptions): Promise<FastifyInstance> => {
  const { settings } = deps
  const headers = commonHeaders(settings)
  const http = fastify({
    loggerInstance: log,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // Refused by ourselves: an answer of Node.js has none of our headers.
      requireHostHeader: false,
    },
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    return503OnClosing: true,
    rewriteUrl: ({ url = '/' }) => soughtAt(url),
    // Addresses that the router cannot read (a bad escape, an id that is too long) are nobody's.
    clientErrorHandler: answerUnreadable(headers, log),
    frameworkErrors: (_error, _request, reply) => sendProblem(reply, new Problem('not-found')),
  })
  http.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
  boundPipelining(http)
  boundPieces(http)
  guardAllAnswers(http.server, headers)
  answerForNode(http)
  handleProblems(http)
  carryRequestId(http)
  const makeKnown = refuseOtherMethods(http)
  // A POST that has nothing to say may say nothing, whatever its content type.
  http.removeContentTypeParser(['application/json', 'text/plain'])
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
  )
  // Agents that wait for changes would hold the stop for as long as they wait.
  http.addHook('preClose', async () => deps.nodeSignal.stop())
  await http.register(cookie)
  addRateLimits(http, deps)
  await describeApi(http, settings)
  measureAnswers(http, registry)
  requireCsrfToken(http)
  guardSessions(http, (token) => findSessionCustomer(deps, token))
  guardAgents(http, deps)

  await http.register(async (api) => {
    guardAnswers(api)
    addHealth(api, deps)
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
  })
  answerUnknownPaths(http, storefrontDir && readNotFoundPage(storefrontDir))
  if (storefrontDir)
    await http.register((pages) =>
      serveStorefront(pages, { root: storefrontDir, settings, legalDocuments, makeKnown }),
    )
  await http.ready()
  return http
}
