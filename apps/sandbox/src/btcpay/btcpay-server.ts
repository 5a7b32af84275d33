import { join } from 'node:path'
import {
  type Delivery,
  type Invoice,
  nowInSeconds,
  type Payout,
  type PullPayment,
  type Webhook,
} from '#btcpay/records.ts'
import { createWebhooks } from '#btcpay/webhooks.ts'
import { startCallbackSender } from '#callbacks/callback-sender.ts'
import { startDelays } from '#delays.ts'
import { createFaultInjector, type FaultInjector } from '#faults/fault-injector.ts'
import type { SandboxSettings } from '#settings.ts'
import { openShelves, type Shelves } from '#shelves.ts'

type Kept = {
  invoices: Invoice
  pullPayments: PullPayment
  payouts: Payout
  webhooks: Webhook
  deliveries: Delivery
}

/** One BTCPay Server with one store. */
export type BtcpayServer = {
  readonly settings: SandboxSettings
  readonly books: Shelves<Kept>
  readonly faults: FaultInjector
  /** Known once the server listens. */
  publicUrl: string
  at(seconds: number, work: () => void): void
  /** Tells whoever wants to know; the subject is what it is about. */
  publish(type: string, subject: string, about: object): void
  redeliver(delivery: Delivery): string
  close(): Promise<void>
}

const FROM_SETTINGS = 'webhook-of-settings'
/** A timer takes no more. */
const LONGEST_MS = 86_400_000

export const createBtcpayServer = (settings: SandboxSettings): BtcpayServer => {
  const { dataDir, btcpayWebhookUrl: url, btcpayWebhookSecret: secret } = settings
  const books = openShelves<Kept>(dataDir && join(dataDir, 'btcpay.jsonl'), [
    'invoices',
    'pullPayments',
    'payouts',
    'webhooks',
    'deliveries',
  ])
  const faults = createFaultInjector()
  const delays = startDelays()
  const sender = startCallbackSender()
  const webhooks = createWebhooks({
    books,
    faults,
    delays,
    sender,
    retryScale: settings.retryScale,
    later: (work) => {
      delays.after(faults.switches.callbackDelayMs ?? settings.callbackDelayMs, work)
    },
  })
  if (url)
    books.webhooks.put({
      id: FROM_SETTINGS,
      enabled: true,
      automaticRedelivery: true,
      url,
      authorizedEvents: { everything: true, specificEvents: [] },
      secret,
    })
  else books.webhooks.remove(FROM_SETTINGS)
  return {
    settings,
    books,
    faults,
    publicUrl: '',
    at: (seconds, work) => {
      delays.after(Math.min(Math.max(seconds * 1_000 - Date.now(), 1), LONGEST_MS), work)
    },
    publish: (type, subject, about) =>
      webhooks.send(subject, { type, timestamp: nowInSeconds(), storeId: settings.btcpayStore, ...about }),
    redeliver: webhooks.redeliver,
    close: async () => {
      delays.close()
      sender.close()
      await books.close()
    },
  }
}
