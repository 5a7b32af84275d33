import { createHmac } from 'node:crypto'
import type { CallbackSender } from '#callbacks/callback-sender.ts'
import type { Delays } from '#delays.ts'
import { createEventSends } from '#faults/event-faults.ts'
import type { FaultInjector } from '#faults/fault-injector.ts'
import { type Endpoint, nowInSeconds } from '#stripe/object-types.ts'
import type { StripeBooks, StripeEvent } from '#stripe/stripe-books.ts'

type Needs = {
  books: StripeBooks
  faults: FaultInjector
  delays: Delays
  sender: CallbackSender
  retryScale: number
  /** After the time that an outcome takes here. */
  later(work: () => void): void
}

const MINUTE_S = 60
const HOUR_S = 3_600
/** Between tries, about three days in all. */
const PAUSES_S = [
  10,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  ...[12, 12, 12, 12].map((hours) => hours * HOUR_S),
]
const SHORTEST_PAUSE_MS = 1

/** While a secret is rolled, the old one signs too. */
const secretsOf = ({ signingSecret, rolled }: Endpoint): string[] => [
  signingSecret,
  ...rolled.filter(({ until }) => until > nowInSeconds()).map((old) => old.secret),
]

const signatureHeader = (text: string, secrets: readonly string[], at = nowInSeconds()): string =>
  [
    `t=${at}`,
    ...secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')}`),
  ].join(',')

export const isWanted = ({ enabled_events, status }: Endpoint, type: string): boolean =>
  status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type))

/** What it is about, for the draws: the same in all events of one payment. */
const subjectOf = ({ data }: StripeEvent): string => {
  const { payment_intent, id } = data.object as { payment_intent?: unknown; id?: unknown }
  return typeof payment_intent === 'string' ? payment_intent : String(id)
}

export const createWebhooks = ({ books, faults, delays, sender, retryScale, later }: Needs) => {
  const post = (endpoint: Endpoint, event: StripeEvent, secrets = secretsOf(endpoint)): Promise<number> => {
    const text = JSON.stringify(event, null, 2)
    return sender.post(endpoint.url, text, { 'stripe-signature': signatureHeader(text, secrets) })
  }

  const attempt = async (id: string, tries: number): Promise<void> => {
    const owed = books.owed.find(id)
    const event = owed && books.events.find(owed.event)
    const endpoint = owed && books.endpoints.find(owed.endpoint)
    if (!event || !endpoint) return books.owed.remove(id)
    const status = await post(endpoint, event)
    const isDelivered = status >= 200 && status < 300
    const pauseS = PAUSES_S[tries]
    if (!isDelivered && pauseS !== undefined) {
      delays.after(
        Math.max(pauseS * 1_000 * retryScale, SHORTEST_PAUSE_MS),
        () => void attempt(id, tries + 1),
      )
      return
    }
    books.owed.remove(id)
    if (!isDelivered) return
    event.pending_webhooks -= 1
    books.events.put(event)
  }

  const strike = createEventSends({ faults, delays, later })
  const sendTo = (endpoint: Endpoint, event: StripeEvent): void => {
    const id = `${event.id} ${endpoint.id}`
    const goesOut = strike(subjectOf(event), endpoint.id, {
      once: () => attempt(id, 0),
      copy: () => void post(endpoint, event),
      forged: () => void post(endpoint, event, [`not ${endpoint.signingSecret}`]),
    })
    if (goesOut) books.owed.put({ id, event: event.id, endpoint: endpoint.id })
  }

  return {
    send: (event: StripeEvent): void => {
      for (const endpoint of books.endpoints.all())
        if (isWanted(endpoint, event.type)) sendTo(endpoint, event)
    },
    resume: (): void => {
      for (const { id } of books.owed.all()) void attempt(id, 0)
    },
  }
}
