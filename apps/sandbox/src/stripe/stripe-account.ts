import { join } from 'node:path'
import { startCallbackSender } from '#callbacks/callback-sender.ts'
import { startDelays } from '#delays.ts'
import { createFaultInjector, type FaultInjector } from '#faults/fault-injector.ts'
import type { SandboxSettings } from '#settings.ts'
import { anEndpoint } from '#stripe/money-objects.ts'
import { API_VERSION, newId, nowInSeconds } from '#stripe/object-types.ts'
import { present } from '#stripe/present.ts'
import { createStripeBooks, type StripeBooks, type StripeEvent } from '#stripe/stripe-books.ts'
import { createWebhooks, isWanted } from '#stripe/webhooks.ts'

/** One Stripe account in test mode: its books, the way out for events, and all that happens later. */
export type StripeAccount = {
  readonly settings: SandboxSettings
  readonly books: StripeBooks
  readonly faults: FaultInjector
  /** Known once the server listens. */
  publicUrl: string
  /** After the time that an outcome takes here. */
  later(work: () => void): void
  at(seconds: number, work: () => void): void
  /** Writes an event down and sends it to whoever wants it. */
  publish(type: StripeEvent['type'], object: { id: string }): void
  /** Sends what a former run still owed. */
  resume(): void
  close(): Promise<void>
}

const SETTINGS_ENDPOINT = 'we_settings'

/** The endpoint that the settings name takes everything; one from settings of before is forgotten. */
export const takeEndpoint = (
  books: StripeBooks,
  { stripeWebhookUrl: url, stripeWebhookSecret }: SandboxSettings,
) => {
  const known = books.endpoints.find(SETTINGS_ENDPOINT)
  if (!url) return books.endpoints.remove(SETTINGS_ENDPOINT)
  const endpoint = anEndpoint({ url, enabled_events: ['*'], api_version: API_VERSION })
  const signingSecret = known?.url === url ? known.signingSecret : stripeWebhookSecret
  books.endpoints.put({ ...endpoint, id: SETTINGS_ENDPOINT, rolled: known?.rolled ?? [], signingSecret })
}

export const createStripeAccount = (settings: SandboxSettings): StripeAccount => {
  const books = createStripeBooks(settings.dataDir && join(settings.dataDir, 'stripe.jsonl'))
  const faults = createFaultInjector()
  const delays = startDelays()
  const sender = startCallbackSender()
  const later = (work: () => void): void => {
    delays.after(faults.switches.callbackDelayMs ?? settings.callbackDelayMs, work)
  }
  const webhooks = createWebhooks({ books, faults, delays, sender, retryScale: settings.retryScale, later })
  takeEndpoint(books, settings)
  return {
    settings,
    books,
    faults,
    publicUrl: '',
    later,
    at: (seconds, work) => {
      delays.after(Math.max(seconds * 1_000 - Date.now(), 1), work)
    },
    publish: (type, object) => {
      const event: StripeEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: nowInSeconds(),
        data: { object: structuredClone(present(object)) },
        livemode: false,
        pending_webhooks: books.endpoints.all().filter((endpoint) => isWanted(endpoint, type)).length,
        request: { id: null, idempotency_key: null },
        type,
      }
      books.events.put(event)
      webhooks.send(event)
    },
    resume: webhooks.resume,
    close: async () => {
      delays.close()
      sender.close()
      await books.close()
    },
  }
}
