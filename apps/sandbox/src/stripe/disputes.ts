import type { Stripe } from 'stripe'
import type { DisputeParams } from '#stripe/call-params.ts'
import { DISPUTE_FEE } from '#stripe/money.ts'
import { aDispute, aTransaction } from '#stripe/money-objects.ts'
import type { Charge, Dispute } from '#stripe/object-types.ts'
import { present } from '#stripe/present.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'
import { StripeError } from '#stripe/stripe-error.ts'

const DISPUTE_STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'won',
  'lost',
  'prevented',
] as const satisfies readonly Stripe.Dispute.Status[]
type Status = (typeof DISPUTE_STATUSES)[number]

/** Where each may go on to. What was lost may be appealed against. */
export const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  warning_needs_response: ['warning_under_review', 'warning_closed', 'needs_response', 'prevented'],
  warning_under_review: ['warning_closed', 'needs_response'],
  warning_closed: ['needs_response'],
  needs_response: ['under_review', 'won', 'lost', 'prevented'],
  under_review: ['won', 'lost'],
  appeal_needs_response: ['appeal_under_review', 'lost'],
  appeal_under_review: ['won', 'lost'],
  won: [],
  lost: ['appeal_needs_response'],
  prevented: [],
}

const ENDED: readonly Status[] = ['warning_closed', 'won', 'lost', 'prevented']

const book = (account: StripeAccount, dispute: Dispute, isBack: boolean): void => {
  const transaction = aTransaction({
    type: 'adjustment',
    category: isBack ? 'dispute_reversal' : 'dispute',
    amount: isBack ? dispute.amount : -dispute.amount,
    currency: dispute.currency,
    source: dispute.id,
    fee: isBack ? 0 : DISPUTE_FEE,
  })
  account.books.transactions.put(transaction)
  dispute.balance_transactions.push(present(transaction) as unknown as Stripe.BalanceTransaction)
}

/** Takes the money, or gives it back, where the status asks for it. */
const settle = (account: StripeAccount, dispute: Dispute): Stripe.Event.Type | undefined => {
  const moved = dispute.balance_transactions.length
  const isTaken = moved === 1
  if (dispute.status === 'needs_response' && moved === 0) {
    book(account, dispute, false)
    dispute.is_charge_refundable = false
    return 'charge.dispute.funds_withdrawn'
  }
  if (['won', 'prevented'].includes(dispute.status) && isTaken) {
    book(account, dispute, true)
    return 'charge.dispute.funds_reinstated'
  }
  return undefined
}

const publishMoved = (account: StripeAccount, dispute: Dispute, first: Stripe.Event.Type): void => {
  const money = settle(account, dispute)
  account.books.disputes.put(dispute)
  account.publish(first, dispute)
  if (money) account.publish(money, dispute)
}

export const openDispute = (
  account: StripeAccount,
  charge: Charge,
  reason: string,
  isInquiry: boolean,
): Dispute => {
  const dispute = aDispute(charge, reason, isInquiry)
  charge.disputed = true
  account.books.charges.put(charge)
  publishMoved(account, dispute, 'charge.dispute.created')
  return dispute
}

/** False where it cannot go there from where it is. */
export const moveDispute = (account: StripeAccount, dispute: Dispute, status: Status): boolean => {
  if (!MOVES[dispute.status as Status].includes(status)) return false
  dispute.status = status
  if (ENDED.includes(status)) dispute.evidence_details.due_by = null
  publishMoved(account, dispute, ENDED.includes(status) ? 'charge.dispute.closed' : 'charge.dispute.updated')
  return true
}

export const isDisputeStatus = (value: unknown): value is Status => DISPUTE_STATUSES.includes(value as Status)

const REVIEWS: Partial<Record<Status, Status>> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
  appeal_needs_response: 'appeal_under_review',
}

/** As Stripe's test mode: what the evidence says decides. */
const VERDICTS: Readonly<Record<string, 'won' | 'lost'>> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
}

export const updateDispute = (account: StripeAccount, dispute: Dispute, params: DisputeParams): Dispute => {
  const review = REVIEWS[dispute.status as Status]
  if (!review && (params.evidence || params.submit))
    throw new StripeError(400, `This dispute is ${dispute.status}: evidence can no longer be changed.`)
  Object.assign(dispute.evidence, params.evidence)
  Object.assign(dispute.metadata, params.metadata)
  const details = dispute.evidence_details
  details.has_evidence ||= params.evidence !== undefined
  // Evidence goes to the bank unless it is said to be a draft.
  const isSubmitted = params.submit ?? params.evidence !== undefined
  if (!review || !isSubmitted) {
    account.books.disputes.put(dispute)
    account.publish('charge.dispute.updated', dispute)
    return dispute
  }
  details.submission_count += 1
  details.submission_method = 'manual'
  moveDispute(account, dispute, review)
  decideInTime(account, dispute)
  return dispute
}

const decideInTime = (account: StripeAccount, dispute: Dispute): void => {
  const verdict = VERDICTS[String(dispute.evidence.uncategorized_text)]
  if (!verdict) return
  const isInquiry = dispute.status === 'warning_under_review'
  account.later(() => void moveDispute(account, dispute, isInquiry ? 'warning_closed' : verdict))
}

export const resumeDisputes = (account: StripeAccount): void => {
  for (const dispute of account.books.disputes.all())
    if (dispute.status.endsWith('under_review')) decideInTime(account, dispute)
}

/** The merchant gives in. */
export const closeDispute = (account: StripeAccount, dispute: Dispute): Dispute => {
  const end = dispute.status.startsWith('warning') ? 'warning_closed' : 'lost'
  if (!moveDispute(account, dispute, end))
    throw new StripeError(400, `This dispute is already closed: its status is ${dispute.status}.`)
  return dispute
}
