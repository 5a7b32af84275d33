import type { Endpoint, Limit } from '@hedgerow/contract/endpoint'
import { networkOf } from '@hedgerow/domain/networks'
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify'
import type { KnownBrowsers } from '#http/known-browsers.ts'
import { Problem } from '#http/problems.ts'
import type { RateCount, RateCounter } from '#http/rate-counter.ts'

type Limited = Pick<Endpoint, 'method' | 'url' | 'limits'>

type Hooks = {
  onRequest?: onRequestAsyncHookHandler
  preHandler?: preHandlerAsyncHookHandler
  onSend?: onSendAsyncHookHandler
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the hooks that keep an endpoint's limits. */
    keepLimits: (endpoint: Limited) => Hooks
  }
}

type Deps = { rateCounter: RateCounter; knownBrowsers: KnownBrowsers }
type Fields = Record<string, unknown> | undefined
type ByAddress = Extract<Limit, { by: 'address' }>
type LaterLimit = Exclude<Limit, ByAddress>

const tooMany = (retryAfterSeconds: number) => new Problem('too-many-requests', { retryAfterSeconds })

/** A browser that has logged in to the account before has a count of its own. */
const fieldCountOf = (
  request: FastifyRequest,
  limit: Extract<Limit, { by: 'field' }>,
  { knownBrowsers }: Deps,
): string => {
  const value = String((request.body as Fields)?.[limit.field]).toLowerCase()
  const browser = knownBrowsers.idFor(request, value)
  if (browser) return `browser ${browser}`
  return limit.andAddress ? `${networkOf(request.ip)} ${value}` : value
}

const countOf = (request: FastifyRequest, limit: LaterLimit, name: string, deps: Deps): RateCount => ({
  name: ('sharedAs' in limit && limit.sharedAs) || name,
  of: limit.by === 'customer' ? String(request.customerId) : fieldCountOf(request, limit, deps),
  most: limit.calls,
  seconds: limit.minutes * 60,
})

/** One after the other: a call that is too much for one of them does not count for the next. */
const keepLater = (limits: readonly LaterLimit[], name: string, deps: Deps): preHandlerAsyncHookHandler =>
  async function keepLaterLimits(request, reply) {
    for (const [i, limit] of limits.entries()) {
      const wait = await deps.rateCounter.count(countOf(request, limit, `${name} ${i}`, deps))
      if (wait === undefined) continue
      if (!('isDropped' in limit)) throw tooMany(wait)
      return reply.send({})
    }
  }

/** What the caller has done wrong. What is nobody's may be ours to answer for: a restored shop knows fewer payments. */
const REFUSALS = new Set([400, 401, 403, 413, 415, 422])

const keepByAddress = (limit: ByAddress, name: string, { rateCounter }: Deps): Hooks => {
  const countFor = ({ ip }: FastifyRequest): RateCount => ({
    name,
    of: networkOf(ip),
    most: limit.calls,
    seconds: limit.minutes * 60,
  })
  if (limit.counts !== 'refusals')
    return {
      onRequest: async (request) => {
        const wait = await rateCounter.count(countFor(request))
        if (wait !== undefined) throw tooMany(wait)
      },
    }
  // What is accepted costs no question: each process learns by its own refusals when there were too many. The last of
  // them has been answered when it is counted.
  return {
    onRequest: async (request) => {
      const wait = rateCounter.waitFor(countFor(request))
      if (wait !== undefined) throw tooMany(wait)
    },
    onSend: async (request, reply) => {
      if (REFUSALS.has(reply.statusCode))
        await rateCounter.count({ ...countFor(request), most: limit.calls - 1 })
    },
  }
}

/** Counts the calls to endpoints that have limits. */
export const addRateLimits = (app: FastifyInstance, deps: Deps): void => {
  app.decorate('keepLimits', ({ method, url, limits = [] }) => {
    const name = `${method} ${url}`
    const all: readonly Limit[] = limits
    const byAddress = all.find((limit) => limit.by === 'address')
    const later = all.filter((limit) => limit.by !== 'address')
    return {
      ...(byAddress ? keepByAddress(byAddress, name, deps) : {}),
      ...(later.length > 0 ? { preHandler: keepLater(later, name, deps) } : {}),
    }
  })
}
