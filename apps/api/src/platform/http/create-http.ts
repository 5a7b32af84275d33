import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import { boundPieces, boundPipelining } from '#platform/http/limits/bound-connections.ts'
import { soughtAt } from '#platform/http/not-found.ts'
import { refuseOtherMethods } from '#platform/http/other-methods.ts'
import { handleProblems, sendProblem } from '#platform/http/problem-handler.ts'
import { Problem } from '#platform/http/problems.ts'
import { carryRequestId, requestIdOf } from '#platform/http/request-id.ts'
import { commonHeaders, responsesWith } from '#platform/http/security-headers.ts'
import { answerForNode, answerUnreadable } from '#platform/http/unreadable-requests.ts'
import type { Settings } from '#platform/settings.ts'

const BODY_BYTES = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
/** A connection on which nothing moves, neither read nor written, is cut. An agent waits for changes a minute at most. */
const SILENCE_MS = 120_000
/** How late a connection that is too slow may be cut. */
const CHECK_CONNECTIONS_MS = 5_000

type Listening = Pick<Settings, 'publicUrl' | 'trustedProxies'> & {
  /** Whether this process is about to stop. */
  isLeaving: () => boolean
  /** Where strangers call: the mails that they cause are counted by the networks around them. */
  keyedHash?: KeyedHash
}

type Http = {
  http: FastifyInstance
  /** How an address is made known that no route of its own leads to. */
  makeKnown: (path: string) => void
}

/** What every listener for people and programs has in common: its bounds, its headers, and how it refuses. */
export const createHttp = (
  log: FastifyBaseLogger,
  { publicUrl, trustedProxies, isLeaving, keyedHash }: Listening,
): Http => {
  const headers = commonHeaders({ publicUrl })
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
      ServerResponse: responsesWith(headers),
    },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // Who comes while the process stops is served: a proxy does not expect to be refused.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => soughtAt(url),
    // Addresses that the router cannot read (a bad escape, an id that is too long) lead nowhere.
    clientErrorHandler: answerUnreadable(headers, log),
    frameworkErrors: (_error, _request, reply) => sendProblem(reply, new Problem('not-found')),
    // Set here, and not on what is made, Fastify loads no compilers of its own: 170 files.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
  })
  boundPipelining(http)
  boundPieces(http)
  answerForNode(http)
  handleProblems(http)
  carryRequestId(http, keyedHash)
  http.addHook('onSend', (_request, reply, payload, done) => {
    // The proxy is to ask for nothing more on a connection that will be gone: it could not tell whether that was done.
    if (isLeaving()) reply.header('connection', 'close')
    // Answers of one turn of the loop go out together, so that the proxy is woken once for all of them (decision 040).
    // A length of nought would be said of what the caller has (RFC 9110, 8.6).
    setImmediate(done, null, reply.statusCode === 304 ? null : payload)
  })
  const makeKnown = refuseOtherMethods(http)
  // A POST that has nothing to say may say nothing, whatever its content type.
  http.removeContentTypeParser(['application/json', 'text/plain'])
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
  )
  return { http, makeKnown }
}
