import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler, RouteOptions } from 'fastify'
import { Problem } from '#http/problems.ts'

const MINUTE_MS = 60_000

export const addRateLimits = async (app: FastifyInstance): Promise<void> => {
  await app.register(rateLimit, {
    global: false,
    cache: 50_000,
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem('too-many-requests', { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  })
}

/** Route options: so many calls from one address in so many minutes. */
export const limited = (scale: number, max: number, minutes: number): Pick<RouteOptions, 'config'> =>
  scale === 0
    ? {}
    : { config: { rateLimit: { max: Math.ceil(max * scale), timeWindow: minutes * MINUTE_MS } } }

type Fields = Record<string, unknown> | undefined

const limitedByKey = (
  app: FastifyInstance,
  scale: number,
  max: number,
  minutes: number,
  keyGenerator: (request: FastifyRequest) => string,
): preHandlerAsyncHookHandler[] => {
  if (scale === 0) return []
  const count = app.createRateLimit({
    max: Math.ceil(max * scale),
    timeWindow: minutes * MINUTE_MS,
    keyGenerator,
  })
  return [
    async (request) => {
      const result = await count(request)
      if ('isExceeded' in result && result.isExceeded) {
        throw new Problem('too-many-requests', { retryAfterSeconds: result.ttlInSeconds })
      }
    },
  ]
}

/** The same, counted by a field of the body: one account, tried from many addresses. */
export const limitedByField = (
  app: FastifyInstance,
  scale: number,
  field: string,
  max: number,
  minutes: number,
): preHandlerAsyncHookHandler[] =>
  limitedByKey(app, scale, max, minutes, ({ body }) => String((body as Fields)?.[field]).toLowerCase())

/** The same, counted by who has logged in, from whatever addresses. */
export const limitedByCustomer = (
  app: FastifyInstance,
  scale: number,
  max: number,
  minutes: number,
): preHandlerAsyncHookHandler[] =>
  limitedByKey(app, scale, max, minutes, ({ customerId }) => String(customerId))
