import type { Code } from '#payments/codes.ts'
import type { FieldError } from '#payments/gate-error.ts'
import type { NextActionName, Shown } from '#payments/next-action.ts'

export type OperationStatus =
  | 'processing'
  | 'awaiting 3ds result'
  | 'awaiting redirect result'
  | 'awaiting clarification'
  | 'awaiting customer action'
  | 'awaiting merchant auth'
  | 'success'
  | 'decline'

export type PaymentStatus =
  | OperationStatus
  | 'awaiting confirmation'
  | 'error'
  | 'expired'
  | 'cancelled'
  | 'internal error'
  | 'external error'
  | 'partially paid'
  | 'refunded'
  | 'partially refunded'
  | 'reversed'
  | 'partially reversed'

export type Operation = {
  id: number
  type: 'sale' | 'payment confirmation' | 'refund' | 'reversal'
  status: OperationStatus
  code: Code
  amount: number
  requestId: string
  createdAt: number
  updatedAt: number
  authCode?: string
  eci?: string
  /** The merchant's own name for a refund, so that the same one is never paid out twice. */
  merchantRefundId?: string | undefined
}

/** What becomes of a sale: the next actions on the way, in this order, and the code it ends with. */
export type Plan = {
  actions: NextActionName[]
  code: Code
  /** 3-D Secure without a question: the issuer vouches for the card holder. */
  isFrictionless?: boolean
  /** The sale succeeds, but the money arrives later. */
  isConfirmedLater?: boolean
  /** Of a large sum the bank gives a part only. */
  isPartial?: boolean
}

export type Sum = { amount: number; currency: string }

/** What a payment waits for. Its id is the secret by which a bank's page or a result is told from an earlier one. */
export type Wait = {
  id: string
  action: NextActionName
  since: number
  shown: Shown
  /** Names of what a clarification has brought so far; the values are not kept. */
  given?: string[]
  /** Something given so far makes the sale fail once everything is there. */
  refusal?: Code
  isAuthStarted?: boolean
}

export type Account = {
  number: string
  type: string
  card_holder: string
  expiry_month: string
  expiry_year: string
}

export type ReturnUrls = {
  success?: string | undefined
  decline?: string | undefined
  return?: string | undefined
}

/** Where the extended 3-D Secure flow posts its two answers. */
export type AcsReturn = { resultUrl: string; notificationUrl?: string | undefined }

/** A payment as the books keep it: the full card number and the CVV are gone by then. */
export type Payment = {
  id: string
  method: string
  status: PaymentStatus
  amount: number
  /** What came, where that is not what was asked for. */
  received?: Sum
  /** What is left of what came, after refunds. */
  remaining: number
  currency: string
  description: string
  createdAt: number
  updatedAt: number
  customerId: string
  callbackUrl?: string | undefined
  returnUrls: ReturnUrls
  acsReturn?: AcsReturn | undefined
  account?: Account
  bank?: { id: number; name: string }
  plan: Plan
  wait?: Wait | undefined
  challengesMade: number
  operations: Operation[]
  errors?: FieldError[]
  chargebacks?: Chargeback[]
  callbacks: { tried: number; delivered: number }
}

/** How far a chargeback is: new, answered by the merchant, and decided. */
export const CHARGEBACK_STATUSES = ['new', 'challenged', 'accepted', 'won', 'lost'] as const
export type ChargebackStatus = (typeof CHARGEBACK_STATUSES)[number]

export const CHARGEBACK_STAGES = ['chargeback', 'pre_arbitration', 'arbitration'] as const
export type ChargebackStage = (typeof CHARGEBACK_STAGES)[number]

/** A card holder's bank takes money of a payment back. */
export type Chargeback = {
  id: number
  stage: ChargebackStage
  status: ChargebackStatus
  reasonCode: string
  amount: number
  createdAt: number
  updatedAt: number
  completedAt?: number
}

/** The money is gone, until one is won. */
export const chargedBack = ({ chargebacks = [] }: Payment): number =>
  chargebacks.reduce((sum, { status, amount }) => sum + (status === 'won' ? 0 : amount), 0)

export type WaitingPayment = Payment & { wait: Wait }

export const isUnfinished = (payment: Payment): boolean =>
  payment.wait !== undefined ||
  payment.status === 'awaiting confirmation' ||
  payment.operations.some((each) => each.status === 'processing')

/** What came of a payment that succeeded, and what is paid back of it. */
export const receivedOf = ({ received, amount, currency }: Payment): Sum => received ?? { amount, currency }

/** What was asked for, or is paid back of what came. */
export const sumOf = (payment: Payment, { type, amount }: Operation): Sum => {
  const isBack = type === 'refund' || type === 'reversal'
  return { amount, currency: isBack ? receivedOf(payment).currency : payment.currency }
}

export const saleOf = (payment: Payment): Operation => payment.operations[0] as Operation

/** Where the customer goes who has answered or backed out. «return» also stands in for the other two. */
export const returnUrlAfter = (
  { returnUrls }: Payment,
  what: 'success' | 'decline' | 'return',
): string | undefined => returnUrls[what] ?? returnUrls.return ?? returnUrls.decline ?? returnUrls.success
