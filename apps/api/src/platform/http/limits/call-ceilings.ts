import { CEILINGS } from '@hedgerow/contract/endpoint'
import { networksAround } from '@hedgerow/domain/networks'
import type { FastifyInstance, preHandlerHookHandler } from 'fastify'
import { Problem } from '#platform/http/problems.ts'

/** More names than that are forgotten, the oldest first: so many addresses have to be held off elsewhere. */
const MOST_NAMES = 50_000

type Count = { calls: number; endsAt: number }

/** Counts in this process's memory. Returns how many seconds to wait where that was too much. */
const createCounter = (minutes: number) => {
  const counts = new Map<string, Count>()
  return (name: string, most: number): number | undefined => {
    const now = performance.now()
    let count = counts.get(name)
    if (!count || count.endsAt <= now) {
      counts.delete(name)
      const [oldest] = counts.keys()
      if (counts.size >= MOST_NAMES && oldest !== undefined) counts.delete(oldest)
      count = { calls: 0, endsAt: now + minutes * 60_000 }
      counts.set(name, count)
    }
    return ++count.calls > most ? Math.ceil((count.endsAt - now) / 1000) : undefined
  }
}

const refuse = (wait: number | undefined) =>
  wait === undefined ? undefined : new Problem('too-many-requests', { retryAfterSeconds: wait })

/** The gateway and agents prove themselves otherwise; agents leave by the addresses that their customers have. */
const UNCOUNTED = new Set([undefined, 'gateway', 'agent'])

/**
 * Bounds all calls together, by address before anything is asked for them, and by account: also those that only read, which
 * cost less than being counted in the database would. Each process counts for itself. Returns what counts for the account.
 */
export const boundCalls = (app: FastifyInstance, scale: number) => {
  const { address, customer } = CEILINGS
  // A memory for each size: however many small networks call, they push out the count of no larger one.
  const ofSizes = new Map<number, ReturnType<typeof createCounter>>()
  const ofAddress = (ip: string): number | undefined => {
    for (const { network, times } of networksAround(ip)) {
      const count = ofSizes.get(times) ?? createCounter(address.minutes)
      ofSizes.set(times, count)
      const wait = count(network, Math.ceil(address.calls * scale * times))
      if (wait !== undefined) return wait
    }
    return undefined
  }
  const ofCustomer = createCounter(customer.minutes)
  app.addHook('onRequest', ({ ip, routeOptions }, _reply, done) => {
    if (scale === 0 || UNCOUNTED.has(routeOptions.config.access)) return done()
    done(refuse(ofAddress(ip)))
  })
  const boundCustomer: preHandlerHookHandler = ({ customerId }, _reply, done) =>
    done(
      scale === 0 || !customerId
        ? undefined
        : refuse(ofCustomer(customerId, Math.ceil(customer.calls * scale))),
    )
  return boundCustomer
}
