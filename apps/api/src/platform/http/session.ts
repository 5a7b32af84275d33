import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#platform/http/problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    customerId: string | undefined
  }
}

/** Whose session it is, until when and when it was used, by this process's own `performance.now()`, which no clock change moves. */
export type Session = { customer_id: string; ends_at_ms: number; used_at_ms: number }

const BEARER = /^Bearer ([\w-]{20,200})$/i

type WithHeaders = Pick<FastifyRequest, 'headers'>

export const bearerOf = ({ headers }: WithHeaders): string | undefined =>
  headers.authorization?.match(BEARER)?.[1]

/** Whose session a call of a customer is made in, and which. */
export const callerOf = (request: WithHeaders & { customerId: string }) => ({
  customerId: request.customerId,
  sessionToken: bearerOf(request) ?? '',
})

/** Asks who calls before the body of the request is read, on every endpoint that is for customers. */
export const guardSessions = (
  app: FastifyInstance,
  findCustomerId: (token: string) => Promise<string | undefined>,
): void => {
  app.decorateRequest('customerId', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.access !== 'signed-in') return done()
    const token = bearerOf(request)
    if (!token) return done(new Problem('not-signed-in'))
    findCustomerId(token).then((customerId) => {
      request.customerId = customerId
      done(customerId ? undefined : new Problem('not-signed-in'))
    }, done)
  })
}
