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

type StatusFacts = {
  /** What the gateway calls it. Ours alone: before the gateway has heard of the payment. */
  gateStatus: string | undefined
  isFinal: boolean
  /** Who has to do something before it changes: the gateway soon, the customer whenever they like. */
  waitsFor: 'gateway' | 'customer' | null
}

/** The gateway's final statuses get a capital (spec §3). */
const FACTS: Readonly<Record<PaymentStatus, StatusFacts>> = {
  Pending: { gateStatus: undefined, isFinal: false, waitsFor: 'gateway' },
  'awaiting 3ds result': { gateStatus: 'awaiting 3ds result', isFinal: false, waitsFor: 'customer' },
  'awaiting redirect result': {
    gateStatus: 'awaiting redirect result',
    isFinal: false,
    waitsFor: 'customer',
  },
  'awaiting clarification': { gateStatus: 'awaiting clarification', isFinal: false, waitsFor: 'customer' },
  'awaiting customer action': {
    gateStatus: 'awaiting customer action',
    isFinal: false,
    waitsFor: 'customer',
  },
  'awaiting merchant auth': { gateStatus: 'awaiting merchant auth', isFinal: false, waitsFor: 'customer' },
  processing: { gateStatus: 'processing', isFinal: false, waitsFor: 'gateway' },
  Success: { gateStatus: 'success', isFinal: true, waitsFor: null },
  Decline: { gateStatus: 'decline', isFinal: true, waitsFor: null },
  Error: { gateStatus: 'error', isFinal: true, waitsFor: null },
}

/** A status that we do not know is one to keep waiting on, never a result. */
export const paymentStatusFromGate = (status: string): PaymentStatus => {
  const known = status.toLowerCase()
  return PAYMENT_STATUSES.find((one) => FACTS[one].gateStatus === known) ?? 'processing'
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
