import type { Stripe } from 'stripe'
import { openShelves, type Shelves } from '#shelves.ts'
import type {
  Charge,
  Dispute,
  Endpoint,
  Intent,
  Payout,
  Refund,
  Session,
  Transaction,
} from '#stripe/object-types.ts'

type Owed = { id: string; event: string; endpoint: string }
/** What was answered to an idempotency key, and to what. */
export type KeptReply = { id: string; asked: string; status: number; body: string }
/** The event as it goes out, its object as it was then. */
export type StripeEvent = Stripe.EventBase

type Kept = {
  sessions: Session
  intents: Intent
  charges: Charge
  refunds: Refund
  disputes: Dispute
  transactions: Transaction
  payouts: Payout
  endpoints: Endpoint
  events: StripeEvent
  owed: Owed
  replies: KeptReply
}
export type ShelfName = keyof Kept

const NAMES: readonly ShelfName[] = [
  'sessions',
  'intents',
  'charges',
  'refunds',
  'disputes',
  'transactions',
  'payouts',
  'endpoints',
  'events',
  'owed',
  'replies',
]

export type StripeBooks = Shelves<Kept>

/** Without a file, in memory only. */
export const createStripeBooks = (file: string | undefined): StripeBooks => openShelves<Kept>(file, NAMES)
