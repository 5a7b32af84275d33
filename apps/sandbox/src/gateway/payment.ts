import type { Code } from '#gateway/codes.ts'
import type { FieldError } from '#gateway/gate-error.ts'
import type { CardPlan } from '#gateway/test-cards.ts'

export type OperationStatus = 'processing' | 'awaiting 3ds result' | 'success' | 'decline'

export type PaymentStatus =
  | OperationStatus
  | 'error'
  | 'refunded'
  | 'partially refunded'
  | 'reversed'
  | 'partially reversed'

export type Operation = {
  id: number
  type: 'sale' | 'refund' | 'reversal'
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

/** What the merchant hands to the card holder's bank, and what the bank's page recognises. */
export type Challenge = { id: string; acsUrl: string; paReq: string; md: string; since: number }

export type Account = {
  number: string
  type: string
  card_holder: string
  expiry_month: string
  expiry_year: string
}

/** A payment as the books keep it: the full card number and the CVV are gone by then. */
export type Payment = {
  id: string
  method: string
  status: PaymentStatus
  amount: number
  /** What is left after refunds. */
  remaining: number
  currency: string
  description: string
  createdAt: number
  updatedAt: number
  customerId: string
  callbackUrl?: string | undefined
  declineUrl: string
  account: Account
  plan: CardPlan
  challenge?: Challenge | undefined
  challengesMade: number
  operations: Operation[]
  errors?: FieldError[]
  callbacks: { tried: number; delivered: number }
}

export const isUnfinished = (payment: Payment): boolean =>
  payment.status === 'awaiting 3ds result' || payment.operations.some((each) => each.status === 'processing')

export const saleOf = (payment: Payment): Operation => payment.operations[0] as Operation
