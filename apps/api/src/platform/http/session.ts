import type { FastifyInstance, FastifyRequest } from 'fastify'
import { guardCallers } from '#platform/http/guard-callers.ts'
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

/** Asks which customer calls, on every endpoint that is for customers. */
export const guardSessions = (
  app: FastifyInstance,
  findCustomerId: (token: string) => Promise<string | undefined>,
): void => {
  app.decorateRequest('customerId', undefined)
  guardCallers(app, 'signed-in', async (request) => {
    const token = bearerOf(request)
    request.customerId = token && (await findCustomerId(token))
    if (!request.customerId) throw new Problem('not-signed-in')
  })
}
