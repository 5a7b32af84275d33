/** The payment status values of spec §3. All but the first and the last three are the gateway's own words. */
export const PAYMENT_STATUSES = [
  'Pending',
  'awaiting 3ds result',
  'awaiting redirect result',
  'awaiting clarification',
  'awaiting customer action',
  'awaiting merchant auth',
  'processing',
  'Success',
  'Decline',
  'Error',
] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

const WORDS: Readonly<Partial<Record<string, string>>> = {
  Pending: 'Begun',
  'awaiting 3ds result': 'Awaiting 3-D Secure',
  'awaiting redirect result': 'At the bank',
  'awaiting clarification': 'Awaiting clarification',
  'awaiting customer action': 'Awaiting the customer',
  'awaiting merchant auth': 'Awaiting a code',
  processing: 'Processing',
  Success: 'Paid',
  Decline: 'Declined',
  Error: 'Failed',
}

/** A status for operators; one that the shop no longer has, as it was kept. */
export const paymentStatusWords = (status: string): string => WORDS[status] ?? status

/** The gateway's word for money that a bank has promised, and that may take a week to come (gate.md §5.2). */
export const AWAITING_CONFIRMATION = 'awaiting confirmation'
/** The shop's word for money that was seen and not confirmed in time: it may still come. */
export const NOT_CONFIRMED = 'not confirmed in time'
/** So long it may take, by the gateway's word. */
export const PROMISE_DAYS = 7

/** The shop's word for a payment of which a part has come, and the rest may. */
export const PART_HAS_COME = 'a part has come'

/** The gateway's word for a payment of which only a part came. */
export const PARTIALLY_PAID = 'partially paid'

type StatusFacts = {
  /** What the gateway calls it, by one word or by several. Ours alone: before the gateway has heard of the payment. */
  gateStatuses: readonly string[]
  isFinal: boolean
  /** Who has to do something before it changes: the gateway soon, the customer whenever they like. */
  waitsFor: 'gateway' | 'customer' | null
}

/** The gateway's final statuses get a capital (spec §3); all that ends without money is one of two of them. */
const FACTS: Readonly<Record<PaymentStatus, StatusFacts>> = {
  Pending: { gateStatuses: [], isFinal: false, waitsFor: 'gateway' },
  'awaiting 3ds result': { gateStatuses: ['awaiting 3ds result'], isFinal: false, waitsFor: 'customer' },
  'awaiting redirect result': {
    // The second: the gateway's own page lets the customer try again there (gate.md §4.1).
    gateStatuses: ['awaiting redirect result', 'awaiting customer'],
    isFinal: false,
    waitsFor: 'customer',
  },
  'awaiting clarification': {
    gateStatuses: ['awaiting clarification'],
    isFinal: false,
    waitsFor: 'customer',
  },
  'awaiting customer action': {
    gateStatuses: ['awaiting customer action'],
    isFinal: false,
    waitsFor: 'customer',
  },
  'awaiting merchant auth': {
    gateStatuses: ['awaiting merchant auth'],
    isFinal: false,
    waitsFor: 'customer',
  },
  processing: { gateStatuses: ['processing', AWAITING_CONFIRMATION], isFinal: false, waitsFor: 'gateway' },
  Success: { gateStatuses: ['success'], isFinal: true, waitsFor: null },
  Decline: {
    gateStatuses: ['decline', 'cancelled', 'expired', 'refunded', 'reversed'],
    isFinal: true,
    waitsFor: null,
  },
  Error: {
    gateStatuses: ['error', 'internal error', 'external error', PARTIALLY_PAID],
    isFinal: true,
    waitsFor: null,
  },
}

/**
 * A status that we do not know is one to keep waiting on, never a result. 'refunded' and 'reversed' are a decline unless a
 * sale is known to have succeeded.
 */
export const paymentStatusFromGate = (status: string): PaymentStatus => {
  const known = status.toLowerCase()
  return PAYMENT_STATUSES.find((one) => FACTS[one].gateStatuses.includes(known)) ?? 'processing'
}

export const isFinal = (status: PaymentStatus): boolean => FACTS[status].isFinal

export const statusesThatWaitFor = (whom: 'gateway' | 'customer'): PaymentStatus[] =>
  PAYMENT_STATUSES.filter((status) => FACTS[status].waitsFor === whom)

/**
 * Whether a payment may go from one status to another.
 * Callbacks repeat and overtake each other: an intermediate status never replaces a final one, Success is never taken
 * back, and a Success that arrives after a Decline or an Error is the truth, because money has moved.
 */
export const canTransitionPayment = (from: PaymentStatus, to: PaymentStatus): boolean => {
  if (from === to || to === 'Pending' || from === 'Success') return false
  return isFinal(from) ? to === 'Success' : true
}
