import type { IncomingMessage } from 'node:http'
import { newRequestId, REQUEST_ID_HEADER } from '@hedgerow/contract/request-id'
import { networksAround } from '@hedgerow/domain/networks'
import type { FastifyInstance } from 'fastify'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import { runAs } from '#platform/instrumentation/work-context.ts'

const WELL_FORMED = /^[\w-]{8,64}$/
/** As many digits as the shortest card number has. What looks like one is not written down. */
const MAY_BE_CARD = /(?:\d[_-]*){12}/

const VERBOSE_LEVELS = new Set(['trace', 'debug'])

/** The caller's own, if it is one; else one of ours. */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers[REQUEST_ID_HEADER]
  const isTaken = typeof given === 'string' && WELL_FORMED.test(given) && !MAY_BE_CARD.test(given)
  return isTaken ? given : newRequestId()
}

/** Every answer tells the id, and everything that the handler does is done in its name. */
export const carryRequestId = (app: FastifyInstance, keyedHash?: KeyedHash): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
  // Not earlier: a body arrives by events that know nothing of the call.
  app.addHook('preHandler', (request, _reply, done) => {
    const caller = { address: request.ip, userAgent: request.headers['user-agent'] }
    const networks =
      keyedHash &&
      (() =>
        networksAround(request.ip).map(({ network, times }) => ({
          network: keyedHash('mails of a network', network).toString('base64url'),
          times,
        })))
    runAs({ requestId: request.id, caller, ...(networks ? { networks } : {}) }, done)
  })
  // One line a call, to search in: by the pattern of its route, never by its address.
  if (!VERBOSE_LEVELS.has(app.log.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ method, route: routeOptions.url ?? 'none', status: reply.statusCode, ms }, 'answered')
    done()
  })
}
