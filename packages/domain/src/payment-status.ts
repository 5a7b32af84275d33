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
}

/** The gateway's final statuses get a capital (spec §3). */
const FACTS: Readonly<Record<PaymentStatus, StatusFacts>> = {
  Pending: { gateStatus: undefined, isFinal: false },
  'awaiting 3ds result': { gateStatus: 'awaiting 3ds result', isFinal: false },
  'awaiting redirect result': { gateStatus: 'awaiting redirect result', isFinal: false },
  'awaiting clarification': { gateStatus: 'awaiting clarification', isFinal: false },
  'awaiting customer action': { gateStatus: 'awaiting customer action', isFinal: false },
  'awaiting merchant auth': { gateStatus: 'awaiting merchant auth', isFinal: false },
  processing: { gateStatus: 'processing', isFinal: false },
  Success: { gateStatus: 'success', isFinal: true },
  Decline: { gateStatus: 'decline', isFinal: true },
  Error: { gateStatus: 'error', isFinal: true },
}

/** A status that we do not know is one to keep waiting on, never a result. */
export const paymentStatusFromGate = (status: string): PaymentStatus => {
  const known = status.toLowerCase()
  return PAYMENT_STATUSES.find((one) => FACTS[one].gateStatus === known) ?? 'processing'
}

export const isFinal = (status: PaymentStatus): boolean => FACTS[status].isFinal

/**
 * Whether a payment may go from one status to another.
 * Callbacks repeat and overtake each other: an intermediate status never replaces a final one, Success is never taken
 * back, and a Success that arrives after a Decline or an Error is the truth, because money has moved.
 */
export const canTransitionPayment = (from: PaymentStatus, to: PaymentStatus): boolean => {
  if (from === to || to === 'Pending' || from === 'Success') return false
  return isFinal(from) ? to === 'Success' : true
}
