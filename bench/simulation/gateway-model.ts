import type { Clock, Steps } from './clock.ts'
import { logNormal, type Random } from './random.ts'
import type { Thread } from './resources.ts'
import type { Payment } from './shop-model.ts'

export type Gateway = {
  /** The call that sends the sale: its answer, or the time-out of it. */
  sale: (payment: Payment) => Steps
  /** What the gateway does on its own, and what our checks find. `outcome` tells the shop; `check` is what one check costs it. */
  follow: (payment: Payment, outcome: () => Steps, check: () => Steps<unknown>) => Steps
  /** The mail server, which in the bench is the same program. */
  mail: (ms: number) => Steps
}

/** The sandbox of the bench: one thread on the same processors, which calls back at once. */
export const sandboxGateway = (thread: () => Thread, ms: number): Gateway => ({
  *sale(payment) {
    yield thread().run(ms / 2)
    payment.readyAt = 0
  },
  *follow(payment, outcome) {
    // The callback leaves when the sale has been taken.
    yield thread().run(ms / 2)
    if (!payment.isSuccess) yield* outcome()
  },
  *mail(mailMs) {
    yield thread().run(mailMs)
  },
})

/** How a real gateway behaves; assumed. Milliseconds. */
export type Weather = {
  /** Half of its answers take less. */
  answerMs: number
  /** Half of the outcomes come sooner: the bank, and the customer at the bank's page. */
  outcomeMs: number
  /** The share of calls, callbacks included, that come to nothing. */
  lost: number
}
export const FAIR: Weather = { answerMs: 300, outcomeMs: 3_000, lost: 0.002 }

/** Assumed: until a mail server of another company has taken a mail. */
export const MAIL_SERVER_MS = 150

const ANSWER_SPREAD = 0.5
const OUTCOME_SPREAD = 0.6
/** A call is given up after so long (apps/api/src/money/gateway/gate-call.ts). */
const TIMEOUT_MS = 10_000
/** The first check of a payment, and every further after twice the pause (docs/architecture.md). */
const FIRST_CHECK_MS = 10_000
const CHECKS = 8

export const realGateway = (clock: Clock, random: Random, weather: () => Weather): Gateway => {
  function* ask(): Steps<boolean> {
    const { answerMs, lost } = weather()
    const ms = logNormal(random, answerMs, ANSWER_SPREAD)
    const isAnswered = random() >= lost && ms < TIMEOUT_MS
    yield clock.pause(isAnswered ? ms : TIMEOUT_MS)
    return isAnswered
  }
  return {
    *sale() {
      // No answer is no result: the status is asked once, and the page waits for what becomes of it.
      if (!(yield* ask())) yield* ask()
    },
    *follow(payment, outcome, check) {
      const { answerMs, outcomeMs, lost } = weather()
      payment.readyAt = clock.now + answerMs + logNormal(random, outcomeMs, OUTCOME_SPREAD)
      if (random() >= lost)
        clock.after(payment.readyAt - clock.now, () => {
          if (!payment.isSuccess) clock.start(outcome())
        })
      let wait = FIRST_CHECK_MS
      for (let count = 0; count < CHECKS; count++) {
        yield clock.pause(wait)
        if (payment.isSuccess) return
        wait *= 2
        yield* check()
        if ((yield* ask()) && clock.now >= payment.readyAt && !payment.isSuccess) return yield* outcome()
      }
    },
    *mail() {
      yield clock.pause(MAIL_SERVER_MS)
    },
  }
}
