import rateLimit from '@fastify/rate-limit'
import type { Limit, Limits } from '@hedgerow/contract/endpoint'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler, RouteOptions } from 'fastify'
import { Problem } from '#http/problems.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the route options that keep an endpoint's limits. */
    keepLimits: (limits: Limits) => Pick<RouteOptions, 'config' | 'preHandler'>
  }
}

const MINUTE_MS = 60_000

type Fields = Record<string, unknown> | undefined
type LaterLimit = Exclude<Limit, { by: 'address' }>

const keyOf = ({ customerId, body }: FastifyRequest, limit: LaterLimit): string =>
  limit.by === 'customer' ? String(customerId) : String((body as Fields)?.[limit.field]).toLowerCase()

/** Counts the calls to endpoints that have limits. A scale of 2 allows twice as many, one of 0 any number. */
export const addRateLimits = async (app: FastifyInstance, scale: number): Promise<void> => {
  if (scale === 0) {
    app.decorate('keepLimits', () => ({}))
    return
  }
  await app.register(rateLimit, {
    global: false,
    cache: 50_000,
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem('too-many-requests', { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  })

  const rateOf = ({ calls, minutes }: Limit) => ({
    max: Math.ceil(calls * scale),
    timeWindow: minutes * MINUTE_MS,
  })

  const countFor = (limit: LaterLimit): preHandlerAsyncHookHandler => {
    const count = app.createRateLimit({
      ...rateOf(limit),
      keyGenerator: (request) => keyOf(request, limit),
    })
    return async (request) => {
      const result = await count(request)
      if ('isExceeded' in result && result.isExceeded) {
        throw new Problem('too-many-requests', { retryAfterSeconds: result.ttlInSeconds })
      }
    }
  }

  const shared = new Map<string, preHandlerAsyncHookHandler>()
  const countOf = (limit: LaterLimit): preHandlerAsyncHookHandler => {
    const name = limit.by === 'customer' ? limit.sharedAs : undefined
    if (name === undefined) return countFor(limit)
    const count = shared.get(name) ?? countFor(limit)
    shared.set(name, count)
    return count
  }

  app.decorate('keepLimits', (limits) => {
    const byAddress = limits.find(({ by }) => by === 'address')
    return {
      ...(byAddress ? { config: { rateLimit: rateOf(byAddress) } } : {}),
      preHandler: limits.flatMap((limit) => (limit.by === 'address' ? [] : [countOf(limit)])),
    }
  })
}
