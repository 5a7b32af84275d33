import type { Clock, Steps } from './clock.ts'
import { exponential, type Random } from './random.ts'
import type { Answered, ShopModel } from './shop-model.ts'

/** Assumed: what customers do, for each purchase. */
export const HABITS = {
  /** Visits that lead to no purchase: the home page and the list of plans. */
  visits: 10,
  /** The share of them whose browser has no file of ours yet. */
  newcomers: 0.5,
  /** Visits to the profile. */
  returns: 1.5,
  /** Purchases of an account that is not logged in. */
  logIns: 0.7,
} as const

/** Between two questions how a payment stands, and when one is given up (packages/domain/src/timings.ts, follow-payment.ts). */
const POLL_EVERY_MS = 500
const POLL_TIMEOUT_MS = 15_000
/** What a page reads is asked for again twice, after one second and two (packages/web/src/query-client.ts, TanStack Query). */
const READ_AGAIN_MS = [1_000, 2_000]
/** Assumed: nobody repeats a press but the customer, after so long, and not more often than that. */
const PRESS_AGAIN_MS = 5_000
const PRESSES = 12
/** A customer who sees no outcome for so long closes the page. */
const PATIENCE_MS = 15 * 60_000

export type Seen = {
  /** When it ended and how long it took, in milliseconds. */
  presses: { at: number; ms: number }[]
  successes: { at: number; ms: number }[]
  pages: { at: number; ms: number }[]
  polls: number
  /** Purchases that were given up. */
  lost: number
  /** Under way now. */
  present: number
}

export const newSeen = (): Seen => ({ presses: [], successes: [], pages: [], polls: 0, lost: 0, present: 0 })

/** The steps, or until their time is over: what was asked of the shop is done there all the same. */
const within = (clock: Clock, ms: number, steps: Steps<unknown>): ((resume: () => void) => void) => {
  return (resume) => {
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      resume()
    }
    clock.after(ms, end)
    clock.start(steps, end)
  }
}

export const createCustomers = (shop: ShopModel, random: Random, seen: Seen) => {
  const { clock } = shop

  function* read(call: () => Steps<Answered>): Steps<Answered> {
    for (const pause of READ_AGAIN_MS) {
      if (yield* call()) return true
      yield clock.pause(pause)
    }
    return yield* call()
  }

  function* press<T>(call: () => Steps<T>): Steps<T | undefined> {
    for (let count = 0; count < PRESSES; count++) {
      const began = clock.now
      const answer = yield* call()
      if (answer) {
        seen.presses.push({ at: clock.now, ms: clock.now - began })
        return answer
      }
      yield clock.pause(PRESS_AGAIN_MS * (0.5 + random()))
    }
    return undefined
  }

  function* page(isFirst: boolean): Steps {
    const began = clock.now
    yield* shop.page(isFirst)
    seen.pages.push({ at: clock.now, ms: clock.now - began })
  }

  function* visit(): Steps {
    yield* page(random() < HABITS.newcomers)
    yield* read(() => shop.list())
  }

  function* comeBack(): Steps {
    yield* page(false)
    yield* read(() => shop.profile())
    yield* read(() => shop.history())
  }

  function* follow(payment: { isSuccess: boolean }): Steps<boolean> {
    const end = clock.now + PATIENCE_MS
    while (clock.now < end) {
      const wasSuccess = payment.isSuccess
      seen.polls++
      yield within(clock, POLL_TIMEOUT_MS, shop.poll())
      if (wasSuccess) return true
      yield clock.pause(POLL_EVERY_MS)
    }
    return false
  }

  function* buy(): Steps {
    seen.present++
    yield* visit()
    const isIn = random() >= HABITS.logIns || (yield* press(() => shop.logIn()))
    const isOrdered = isIn && (yield* press(() => shop.order()))
    const began = clock.now
    const payment = isOrdered ? yield* press(() => shop.pay()) : undefined
    seen.present--
    if (!payment) return void seen.lost++
    seen.present++
    const isSuccess = yield* follow(payment)
    seen.present--
    if (!isSuccess) return void seen.lost++
    seen.successes.push({ at: clock.now, ms: clock.now - began })
    yield* page(false)
    yield* read(() => shop.profile())
    yield* read(() => shop.history())
  }

  /** Arrivals that know nothing of each other; `perSecond` may change with time. */
  function* arrivals(perSecond: () => number, steps: () => Steps): Steps {
    for (;;) {
      yield clock.pause(exponential(random, 1000 / Math.max(perSecond(), 1e-6)))
      clock.start(steps())
    }
  }

  /** Everybody, at so many purchases a second. */
  const come = (perSecond: () => number): void => {
    clock.start(arrivals(perSecond, buy))
    clock.start(arrivals(() => perSecond() * HABITS.visits, visit))
    clock.start(arrivals(() => perSecond() * HABITS.returns, comeBack))
  }

  /** Agents that ask at their pace, whether something has changed or not. */
  const agents = (count: () => number, everyMs: number): void => {
    function* ask(): Steps {
      yield* shop.agentPoll()
    }
    clock.start(arrivals(() => (count() * 1000) / everyMs, ask))
  }
  return { come, agents }
}
