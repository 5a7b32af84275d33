import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'

/** The objects as Stripe's own types have them, with ids in place of objects: those unfold in an answer only. */
export type Session = Stripe.Checkout.Session & { payment_intent: string | null }
export type Intent = Stripe.PaymentIntent & { latest_charge: string | null }
export type Charge = Stripe.Charge & { payment_intent: string; balance_transaction: string | null }
export type Refund = Stripe.Refund & { payment_intent: string; charge: string }
export type Dispute = Stripe.Dispute & { payment_intent: string; charge: string }
/** With the payout that it went out with, which no answer shows. */
export type Transaction = Stripe.BalanceTransaction & { source: string; payout: string | null }
export type Payout = Stripe.Payout
export type Warning = Stripe.Radar.EarlyFraudWarning
type Rolled = { secret: string; until: number }
export type Endpoint = Stripe.WebhookEndpoint & { signingSecret: string; rolled: Rolled[] }

export const API_VERSION = '2026-10-28.endive'

export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000)
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/** Said by all objects that say it. */
export const TEST_MODE = { livemode: false } as const

/** The session's PaymentIntent, which a session names once its customer has tried to pay. */
export const intentIdOf = ({ id }: Session): string => `pi_${id.slice('cs_test_'.length)}`
