import { createHmac, randomBytes } from 'node:crypto'
import { type Delivery, nowInSeconds, type Said, type Webhook, type WebhookEvent } from '#btcpay/records.ts'
import type { CallbackSender } from '#callbacks/callback-sender.ts'
import type { Delays } from '#delays.ts'
import { createEventSends } from '#faults/event-faults.ts'
import type { FaultInjector } from '#faults/fault-injector.ts'
import type { Shelf } from '#shelves.ts'

type Needs = {
  books: { webhooks: Shelf<Webhook>; deliveries: Shelf<Delivery> }
  faults: FaultInjector
  delays: Delays
  sender: CallbackSender
  retryScale: number
  later(work: () => void): void
}

const MINUTE_S = 60
const PAUSES_S = [10, MINUTE_S, ...Array.from({ length: 6 }, () => 10 * MINUTE_S)]
const SHORTEST_PAUSE_MS = 1

/** Any other refusal is never repeated. */
const isToRepeat = (status: number): boolean => status === 0 || status >= 500 || [408, 429].includes(status)

const isWanted = ({ enabled, authorizedEvents }: Webhook, type: string): boolean =>
  enabled && (authorizedEvents.everything || authorizedEvents.specificEvents.includes(type))

const newDeliveryId = (): string => randomBytes(12).toString('hex')

export const presentWebhook = ({ secret: _secret, ...webhook }: Webhook) => webhook

const statusOf = (httpCode: number | null): string => {
  if (httpCode === null) return 'Failed'
  return httpCode >= 200 && httpCode < 300 ? 'HttpSuccess' : 'HttpError'
}

export const presentDelivery = ({ id, event, sentAt, httpCode }: Delivery) => {
  const status = statusOf(httpCode)
  return {
    id,
    timestamp: event.timestamp,
    deliveryTime: sentAt,
    httpCode,
    ...(status === 'HttpError' && { errorMessage: `HTTP Error Code ${httpCode}` }),
    ...(status === 'Failed' && { errorMessage: 'No answer' }),
    status,
  }
}

/** Deliveries that wait for another try are in memory: a restart loses them, as it does with the real server. */
export const createWebhooks = ({ books, faults, delays, sender, retryScale, later }: Needs) => {
  /** Signed without a stamp, over the indented text. */
  const post = (webhook: Webhook, event: WebhookEvent, secret = webhook.secret): Promise<number> => {
    const text = JSON.stringify(event, null, 2)
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    return sender.post(webhook.url, text, {
      'content-type': 'application/json',
      'btcpay-sig': `sha256=${signature}`,
    })
  }

  const again = ({ event }: Delivery): WebhookEvent => ({
    ...event,
    deliveryId: newDeliveryId(),
    isRedelivery: true,
  })

  const deliver = async (event: WebhookEvent, tries: number): Promise<void> => {
    const webhook = books.webhooks.find(event.webhookId)
    if (!webhook || !isWanted(webhook, event.type)) return
    const sentAt = nowInSeconds()
    const status = await post(webhook, event)
    const delivery = { id: event.deliveryId, event, sentAt, httpCode: status || null }
    books.deliveries.put(delivery)
    const pauseS = PAUSES_S[tries]
    if (!webhook.automaticRedelivery || !isToRepeat(status) || pauseS === undefined) return
    delays.after(
      Math.max(pauseS * 1_000 * retryScale, SHORTEST_PAUSE_MS),
      () => void deliver(again(delivery), tries + 1),
    )
  }

  const strike = createEventSends({ faults, delays, later })
  return {
    send: (subject: string, said: Said): void => {
      for (const webhook of books.webhooks.all()) {
        if (!isWanted(webhook, said.type)) continue
        const deliveryId = newDeliveryId()
        const event: WebhookEvent = {
          deliveryId,
          webhookId: webhook.id,
          originalDeliveryId: deliveryId,
          isRedelivery: false,
          ...said,
        }
        strike(subject, webhook.id, {
          once: () => deliver(event, 0),
          copy: () => void post(webhook, event),
          forged: () => void post(webhook, event, `not ${webhook.secret}`),
        })
      }
    },
    redeliver: (delivery: Delivery): string => {
      const event = again(delivery)
      void deliver(event, PAUSES_S.length)
      return event.deliveryId
    },
  }
}
