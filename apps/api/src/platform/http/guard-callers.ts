import type { Access } from '@hedgerow/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Fastify reads no body of these. */
const WITHOUT_BODY = new Set(['GET', 'HEAD'])

/**
 * Asks who calls, on every endpoint of an access: before the body of the request is read, and again once it is there. It may
 * be held back for as long as a request may take, and what lets the caller in may end meanwhile. `check` throws.
 */
export const guardCallers = (
  app: FastifyInstance,
  access: Access,
  check: (request: FastifyRequest) => Promise<void>,
): void => {
  const isFor = ({ routeOptions }: FastifyRequest) => routeOptions.config.access === access
  // Others pass at once: an async hook would make each of them wait twice.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isFor(request)) return done()
    check(request).then(() => done(), done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (!isFor(request) || WITHOUT_BODY.has(request.method)) return done()
    check(request).then(() => done(), done)
  })
}
