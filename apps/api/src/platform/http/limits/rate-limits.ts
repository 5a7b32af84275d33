import type { Endpoint, Limit } from '@hedgerow/contract/endpoint'
import { mailboxOf } from '@hedgerow/domain/mailboxes'
import { networksAround } from '@hedgerow/domain/networks'
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import type { KnownBrowsers } from '#platform/http/known-browsers.ts'
import { boundCalls } from '#platform/http/limits/call-ceilings.ts'
import type { RateCount, RateCounter } from '#platform/http/limits/rate-counter.ts'
import { Problem } from '#platform/http/problems.ts'
import type { Settings } from '#platform/settings.ts'

type Limited = Pick<Endpoint, 'method' | 'url' | 'limits'>

type Hooks = {
  onRequest?: onRequestAsyncHookHandler
  preHandler?: (preHandlerAsyncHookHandler | preHandlerHookHandler)[]
  onSend?: onSendAsyncHookHandler
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the hooks that keep an endpoint's limits. */
    keepLimits: (endpoint: Limited) => Hooks
  }
}

type Deps = {
  rateCounter: RateCounter
  knownBrowsers: KnownBrowsers
  settings: Pick<Settings, 'rateLimitScale'>
}
type Fields = Record<string, unknown> | undefined
type ByAddress = Extract<Limit, { by: 'address' }>
type ByField = Extract<Limit, { by: 'field' }>
type LaterLimit = Exclude<Limit, ByAddress>

const tooMany = (retryAfterSeconds: number) => new Problem('too-many-requests', { retryAfterSeconds })

const fieldOf = (request: FastifyRequest, { field }: ByField): string =>
  String((request.body as Fields)?.[field]).toLowerCase()

const ofBrowser = (id: string) => ({ of: `browser ${id}` })
/** All of an account together: who gathers browsers of an account of their own gains no more work of ours by each. */
const ofBrowsersOf = (account: string) => ({ of: `browsers of ${account}` })

/** A browser that has logged in to the account before has a count of its own. */
const byField = async (request: FastifyRequest, limit: ByField, { knownBrowsers }: Deps) => {
  const value = fieldOf(request, limit)
  const browser = await knownBrowsers.idFor(request, value)
  if (browser) return ofBrowser(browser)
  return { of: limit.ofMailbox ? mailboxOf(value) : value, ...(limit.andAddress ? { from: request.ip } : {}) }
}

const countOf = async (
  request: FastifyRequest,
  limit: LaterLimit,
  name: string,
  deps: Deps,
): Promise<RateCount> => ({
  name: ('sharedAs' in limit && limit.sharedAs) || name,
  ...(limit.by === 'customer' ? { of: String(request.customerId) } : await byField(request, limit, deps)),
  most: limit.calls,
  seconds: limit.minutes * 60,
})

/** One after the other: a call that is too much for one of them does not count for the next. */
const keepLater = (limits: readonly LaterLimit[], name: string, deps: Deps): preHandlerAsyncHookHandler =>
  async function keepLaterLimits(request, reply) {
    for (const [i, limit] of limits.entries()) {
      const wait = await deps.rateCounter.count(await countOf(request, limit, `${name} ${i}`, deps))
      if (wait === undefined) continue
      if (!('isDropped' in limit)) throw tooMany(wait)
      return reply.send({})
    }
  }

type CountedBy = Pick<RateCount, 'of' | 'from'>

const ofAddress = ({ ip }: FastifyRequest): CountedBy => ({ of: '', from: ip })

const addressCount = (limit: ByAddress, name: string, by: CountedBy): RateCount => ({
  name,
  ...by,
  most: limit.calls,
  seconds: limit.minutes * 60,
})

/**
 * Before the body is read; but where a field says whose account it is, and the browser says that it is known there, with
 * the body: then the count of the account's browsers stands for that of its address, which neighbours may have used up.
 */
const keepByAddress = (limit: ByAddress, name: string, field: ByField | undefined, deps: Deps): Hooks => {
  const { rateCounter, knownBrowsers } = deps
  const count = async (by: CountedBy) => {
    const wait = await rateCounter.count(addressCount(limit, name, by))
    if (wait !== undefined) throw tooMany(wait)
  }
  const isLater = (request: FastifyRequest) => field !== undefined && knownBrowsers.isClaimedBy(request)
  return {
    onRequest: async (request) => {
      if (!isLater(request)) await count(ofAddress(request))
    },
    ...(field
      ? {
          preHandler: [
            async (request: FastifyRequest) => {
              if (!isLater(request)) return
              const browser = await knownBrowsers.idFor(request, fieldOf(request, field))
              await count(browser ? ofBrowsersOf(fieldOf(request, field)) : ofAddress(request))
            },
          ],
        }
      : {}),
  }
}

/** What the caller has done wrong. An unknown record may be our fault: a restored shop knows fewer payments. */
const REFUSALS = new Set([400, 401, 403, 413, 415, 422])

/**
 * What is accepted costs no question: each process learns by its own refusals when there were too many. The last of them
 * has been answered when it is counted. Larger networks are not counted: refusing costs little, and a neighbour of the
 * gateway's would have its callbacks refused.
 */
const keepRefusals = (limit: ByAddress, name: string, { rateCounter }: Deps): Hooks => {
  const countFor = ({ ip }: FastifyRequest) =>
    addressCount(limit, name, { of: networksAround(ip)[0]?.network ?? ip })
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

/** Counts all calls, and those to endpoints that have limits by these. */
export const addRateLimits = (app: FastifyInstance, deps: Deps): void => {
  const boundCustomer = boundCalls(app, deps.settings.rateLimitScale)
  app.decorate('keepLimits', ({ method, url, limits = [] }) => {
    const name = `${method} ${url}`
    const all: readonly Limit[] = limits
    const byAddress = all.find((limit) => limit.by === 'address')
    const later = all.filter((limit) => limit.by !== 'address')
    const field = later.find((limit) => limit.by === 'field')
    const first: Hooks = byAddress
      ? byAddress.counts === 'refusals'
        ? keepRefusals(byAddress, name, deps)
        : keepByAddress(byAddress, name, field, deps)
      : {}
    const then = later.length > 0 ? [keepLater(later, name, deps)] : []
    return { ...first, preHandler: [boundCustomer, ...(first.preHandler ?? []), ...then] }
  })
}
