import type { Stripe } from 'stripe'
import { noJournal, openJournal, readJournal } from '#journal.ts'
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

/** Of each kind. Beyond it the oldest is forgotten. */
const MOST = 20_000

export type Shelf<Value> = {
  readonly size: number
  find(id: string): Value | undefined
  /** Taken in, or written down as it has become. */
  put(value: Value): void
  remove(id: string): void
  /** The newest first. */
  all(): Value[]
}

export type StripeBooks = { readonly [Name in ShelfName]: Shelf<Kept[Name]> } & { close(): Promise<void> }

type Line = { shelf: ShelfName; value?: { id: string }; gone?: string }

/** Without a file, in memory only. */
export const createStripeBooks = (file: string | undefined): StripeBooks => {
  const shelves = Object.fromEntries(
    NAMES.map((name) => [name, new Map<string, { id: string }>()]),
  ) as Record<ShelfName, Map<string, { id: string }>>
  const take = ({ shelf, value, gone }: Line): void => {
    const kept = shelves[shelf]
    if (gone !== undefined) kept.delete(gone)
    if (value) kept.set(value.id, value)
    if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '')
  }
  if (file) for (const line of readJournal<Line>(file)) take(line)
  const lines = function* (): Generator<Line> {
    for (const shelf of NAMES) for (const value of shelves[shelf].values()) yield { shelf, value }
  }
  const journal = file ? openJournal(file, lines()) : noJournal

  const open = (shelf: ShelfName): Shelf<{ id: string }> => {
    const kept = shelves[shelf]
    const write = (line: Line): void => {
      take(line)
      journal.append(line)
    }
    return {
      get size() {
        return kept.size
      },
      find: (id) => kept.get(id),
      put: (value) => write({ shelf, value }),
      remove: (id) => write({ shelf, gone: id }),
      all: () => [...kept.values()].reverse(),
    }
  }
  return {
    ...Object.fromEntries(NAMES.map((name) => [name, open(name)])),
    close: () => journal.close(),
  } as StripeBooks
}
