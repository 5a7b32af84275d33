/** What programs elsewhere can be told of, in the words of their messages. */
export const WEBHOOK_EVENTS = [
  'order.paid',
  'connection.delivered',
  'connection.ended',
  'payment.refunded',
  'dispute.opened',
  'dispute.changed',
  'application.received',
  'check.failed',
  'check.recovered',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export const WEBHOOK_EVENT_WORDS: Readonly<Record<WebhookEvent, string>> = {
  'order.paid': 'An order was paid',
  'connection.delivered': 'A connection was delivered',
  'connection.ended': 'A connection ended',
  'payment.refunded': 'A payment was refunded, in whole or in part',
  'dispute.opened': 'A dispute was opened',
  'dispute.changed': 'A dispute was won, lost or reopened',
  'application.received': 'A white-label application was received',
  'check.failed': 'A check of the shop failed',
  'check.recovered': 'A check that had failed is well again',
}

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/** How long after each failed try the next one comes; after the last there is none. */
const PAUSES_S = [
  5,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  14 * HOUR_S,
  20 * HOUR_S,
  24 * HOUR_S,
] as const

/** The pause after so many failed tries; undefined when it is given up. */
export const webhookPauseS = (failures: number): number | undefined => PAUSES_S[failures - 1]

/** An endpoint that has taken nothing for so long is turned off when a message to it is given up. */
export const WEBHOOK_FAILING_DAYS = 3

/** After a new secret the old one signs for so long as well. */
export const FORMER_SECRET_HOURS = 24

/** What was sent is listed for so long. */
export const WEBHOOKS_KEPT_DAYS = 30

export const MOST_WEBHOOKS = 20
