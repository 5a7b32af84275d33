import type { RefundParams } from '#stripe/call-params.ts'
import { aRefund, aTransaction } from '#stripe/money-objects.ts'
import type { Charge, Refund } from '#stripe/object-types.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'
import { noSuch, StripeError } from '#stripe/stripe-error.ts'
import { stripeCardEnding } from '#stripe/test-cards.ts'

const chargeFor = ({ books }: StripeAccount, { charge, payment_intent }: RefundParams): Charge => {
  if (charge !== undefined) {
    const found = books.charges.find(charge)
    if (!found) throw noSuch('charge', charge, 'charge')
    return found
  }
  if (payment_intent === undefined)
    throw new StripeError(
      400,
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  const intent = books.intents.find(payment_intent)
  if (!intent) throw noSuch('payment_intent', payment_intent, 'payment_intent')
  const found = books.charges.find(intent.latest_charge ?? '')
  if (found?.status !== 'succeeded')
    throw new StripeError(
      400,
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      {
        param: 'payment_intent',
      },
    )
  return found
}

const leftOf = (account: StripeAccount, charge: Charge): number => {
  if (charge.status !== 'succeeded')
    throw new StripeError(400, `Charge ${charge.id} has not been paid.`, { param: 'charge' })
  if (charge.refunded)
    throw new StripeError(400, `Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  const isDisputed = account.books.disputes
    .all()
    .some(
      (dispute) => dispute.charge === charge.id && !dispute.is_charge_refundable && dispute.status !== 'won',
    )
  if (isDisputed)
    throw new StripeError(400, `Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  return charge.amount - charge.amount_refunded
}

const bookRefund = (account: StripeAccount, charge: Charge, refund: Refund, isBack = false) => {
  const kind = charge.payment_method_details?.type === 'card' ? 'refund' : 'payment_refund'
  const transaction = aTransaction({
    type: isBack ? 'refund_failure' : kind,
    category: isBack ? 'refund_failure' : 'refund',
    amount: isBack ? refund.amount : -refund.amount,
    currency: refund.currency,
    source: refund.id,
  })
  account.books.transactions.put(transaction)
  charge.amount_refunded += isBack ? -refund.amount : refund.amount
  charge.refunded = charge.amount_refunded >= charge.amount
  account.books.charges.put(charge)
  return transaction.id
}

export const createRefund = (account: StripeAccount, params: RefundParams): Refund => {
  const charge = chargeFor(account, params)
  const left = leftOf(account, charge)
  const amount = params.amount ?? left
  if (amount > left)
    throw new StripeError(
      400,
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      {
        param: 'amount',
      },
    )
  const refund = aRefund(charge, amount, params.reason ?? null, params.metadata ?? {})
  refund.balance_transaction = bookRefund(account, charge, refund)
  account.books.refunds.put(refund)
  const course = stripeCardEnding(charge.payment_method_details?.card?.last4)?.refund
  if (course !== 'later') refund.status = 'succeeded'
  account.books.refunds.put(refund)
  account.publish('refund.created', refund)
  account.publish('charge.refunded', charge)
  advanceRefund(account, refund)
  return refund
}

/** What is still to come of a refund, by the card that it goes back to. */
export const advanceRefund = (account: StripeAccount, refund: Refund): void => {
  const charge = account.books.charges.find(refund.charge)
  const course = stripeCardEnding(charge?.payment_method_details?.card?.last4)?.refund
  if (course === 'later' && refund.status === 'pending') account.later(() => settleRefund(account, refund))
  if (course === 'fails' && refund.status === 'succeeded') account.later(() => failRefund(account, refund))
}

const settleRefund = (account: StripeAccount, refund: Refund): void => {
  if (refund.status !== 'pending') return
  refund.status = 'succeeded'
  account.books.refunds.put(refund)
  account.publish('refund.updated', refund)
}

/** Also one that had succeeded: the money comes back to the balance. */
export const failRefund = (account: StripeAccount, refund: Refund): boolean => {
  const charge = account.books.charges.find(refund.charge)
  if (!charge || !['pending', 'succeeded'].includes(refund.status ?? '')) return false
  refund.failure_balance_transaction = bookRefund(account, charge, refund, true)
  Object.assign(refund, {
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  } satisfies Partial<Refund>)
  account.books.refunds.put(refund)
  account.publish('refund.updated', refund)
  account.publish('refund.failed', refund)
  return true
}

/** No refund here waits for its customer, so that there is never one to cancel. */
export const cancelRefund = (refund: Refund): never => {
  throw new StripeError(
    400,
    `This refund cannot be canceled: its status is ${refund.status}, not requires_action.`,
  )
}
