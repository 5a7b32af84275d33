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

/** What the gateway calls its final statuses; our API answers them with a capital (spec §3). */
const FROM_GATE = new Map<string, PaymentStatus>([
  ['success', 'Success'],
  ['decline', 'Decline'],
  ['error', 'Error'],
  ['awaiting 3ds result', 'awaiting 3ds result'],
  ['awaiting redirect result', 'awaiting redirect result'],
  ['awaiting clarification', 'awaiting clarification'],
  ['awaiting customer action', 'awaiting customer action'],
  ['awaiting merchant auth', 'awaiting merchant auth'],
])

/** A status that we do not know is one to keep waiting on, never a result. */
export const paymentStatusFromGate = (status: string): PaymentStatus =>
  FROM_GATE.get(status.toLowerCase()) ?? 'processing'

const FINAL: ReadonlySet<PaymentStatus> = new Set(['Success', 'Decline', 'Error'])

export const isFinal = (status: PaymentStatus): boolean => FINAL.has(status)

/**
 * Whether a payment may go from one status to another.
 * Callbacks repeat and overtake each other: an intermediate status never replaces a final one, Success is never taken
 * back, and a Success that arrives after a Decline or an Error is the truth, because money has moved.
 */
export const canTransitionPayment = (from: PaymentStatus, to: PaymentStatus): boolean => {
  if (from === to || to === 'Pending' || from === 'Success') return false
  return isFinal(from) ? to === 'Success' : true
}
