import type { Stripe } from 'stripe'
import type { SessionParams } from '#stripe/call-params.ts'
import { aCharge, anIntent, aSession, cardDetails, type PaidWith } from '#stripe/checkout-objects.ts'
import { openDispute } from '#stripe/disputes.ts'
import { leastOf } from '#stripe/money.ts'
import { aWarning, saleTransaction } from '#stripe/money-objects.ts'
import {
  type Charge,
  type Intent,
  intentIdOf,
  newId,
  nowInSeconds,
  type Session,
} from '#stripe/object-types.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'
import { StripeError } from '#stripe/stripe-error.ts'
import { type Decline, stripeCard, stripeCardEnding } from '#stripe/test-cards.ts'

const SOONEST_END_S = 30 * 60
const LATEST_END_S = 24 * 3_600
/** The clocks of both sides differ a little. */
const LENIENCE_S = 5

const badEnd = (says: string): StripeError =>
  new StripeError(400, `The \`expires_at\` timestamp must be ${says} from Checkout Session creation.`, {
    param: 'expires_at',
  })

const checkSession = ({ line_items, expires_at }: SessionParams): void => {
  const inS = expires_at === undefined ? LATEST_END_S : expires_at - nowInSeconds()
  if (inS < SOONEST_END_S - LENIENCE_S) throw badEnd('at least 30 minutes')
  if (inS > LATEST_END_S + LENIENCE_S) throw badEnd('less than 24 hours')
  const currencies = new Set(line_items.map((item) => item.price_data.currency))
  if (currencies.size !== 1)
    throw new StripeError(400, 'All line items must be in one currency.', { param: 'line_items' })
}

export const createSession = (account: StripeAccount, params: SessionParams): Session => {
  checkSession(params)
  const session = aSession(params, account.publicUrl)
  if ((session.amount_total ?? 0) < leastOf(session.currency ?? ''))
    throw new StripeError(400, 'The total amount due is less than the least that can be charged.', {
      code: 'amount_too_small',
    })
  // In this order: no session is left of which the intent was forgotten.
  account.books.sessions.put(session)
  account.books.intents.put(anIntent(session, params.payment_intent_data))
  expireInTime(account, session)
  return session
}

export const intentOf = ({ books }: StripeAccount, session: Session): Intent => {
  const intent = books.intents.find(intentIdOf(session))
  if (!intent) throw new StripeError(500, 'The PaymentIntent was forgotten')
  return intent
}

export const isOpen = (account: StripeAccount, session: Session): boolean => {
  if (session.status === 'open' && session.expires_at <= nowInSeconds()) endUnpaid(account, session)
  return session.status === 'open'
}

const endUnpaid = (account: StripeAccount, session: Session): void => {
  const intent = intentOf(account, session)
  Object.assign(session, { status: 'expired', url: null })
  Object.assign(intent, {
    status: 'canceled',
    canceled_at: nowInSeconds(),
    cancellation_reason: 'automatic',
    next_action: null,
  })
  account.books.intents.put(intent)
  account.books.sessions.put(session)
  account.publish('checkout.session.expired', session)
}

export const expireInTime = (account: StripeAccount, session: Session): void =>
  account.at(session.expires_at, () => {
    if (account.books.sessions.find(session.id)) isOpen(account, session)
  })

export const expireSession = (account: StripeAccount, session: Session): Session => {
  if (!isOpen(account, session))
    throw new StripeError(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  endUnpaid(account, session)
  return session
}

/** Both as they have become. */
const save = ({ books }: StripeAccount, session: Session, intent: Intent): void => {
  books.intents.put(intent)
  books.sessions.put(session)
}

const fail = (
  account: StripeAccount,
  session: Session,
  charge: Charge | undefined,
  decline: Decline,
): void => {
  const intent = intentOf(account, session)
  const error: Stripe.PaymentIntent.LastPaymentError = {
    type: charge ? 'card_error' : 'invalid_request_error',
    code: decline.code as Stripe.PaymentIntent.LastPaymentError.Code,
    message: decline.says,
    ...(charge && { charge: charge.id }),
    ...(decline.decline && { decline_code: decline.decline }),
  }
  if (charge) {
    Object.assign(charge, {
      status: 'failed',
      paid: false,
      captured: false,
      failure_code: decline.code,
      failure_message: decline.says,
      outcome: {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: 'declined_by_network',
        reason: decline.decline ?? decline.code,
        risk_level: 'normal',
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      } satisfies Stripe.Charge.Outcome,
    })
    account.books.charges.put(charge)
    intent.latest_charge = charge.id
    account.publish('charge.failed', charge)
  }
  Object.assign(intent, {
    status: 'requires_payment_method',
    last_payment_error: error,
    next_action: null,
    payment_method: null,
  })
  save(account, session, intent)
  account.publish('payment_intent.payment_failed', intent)
}

const succeed = (account: StripeAccount, session: Session, charge: Charge): void => {
  const { books } = account
  const intent = intentOf(account, session)
  const card = stripeCardEnding(charge.payment_method_details?.card?.last4)
  const transaction = saleTransaction(charge, card?.isAvailableAtOnce ?? false)
  books.transactions.put(transaction)
  Object.assign(charge, {
    status: 'succeeded',
    paid: true,
    captured: true,
    amount_captured: charge.amount,
    balance_transaction: transaction.id,
    receipt_url: `${account.publicUrl}/stripe/${session.id}`,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: card?.isSuspect ? 'elevated' : 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    } satisfies Stripe.Charge.Outcome,
  })
  books.charges.put(charge)
  const isLate = session.status === 'complete'
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
  })
  Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
  save(account, session, intent)
  account.publish('charge.succeeded', charge)
  account.publish('payment_intent.succeeded', intent)
  account.publish(isLate ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed', session)
  const { dispute } = card ?? {}
  if (dispute) account.later(() => openDispute(account, charge, dispute.reason, dispute.isInquiry ?? false))
  if (card?.isSuspect) account.publish('radar.early_fraud_warning.created', aWarning(charge))
}

export type TypedCard = { pan: string; name: string; month: number; year: number }

const begin = (account: StripeAccount, session: Session, name: string, email: string | null): Intent => {
  const intent = intentOf(account, session)
  session.payment_intent = intent.id
  session.customer_details = {
    address: null,
    business_name: null,
    email: session.customer_email ?? email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  intent.payment_method = newId('pm')
  return intent
}

const detailsOf = (typed: TypedCard, brand: string, is3ds: boolean): PaidWith =>
  cardDetails(brand, typed.pan.slice(-4), typed.year, typed.month, is3ds)

/** What the customer typed on the page of an open session. */
export const payByCard = (
  account: StripeAccount,
  session: Session,
  typed: TypedCard,
  brand: string,
): void => {
  const intent = begin(account, session, typed.name, null)
  const card = stripeCard(typed.pan)
  if (card?.asksBank) {
    const url = `${account.publicUrl}/c/pay/${session.id}/bank`
    Object.assign(intent, {
      status: 'requires_action',
      last_payment_error: null,
      next_action: { type: 'redirect_to_url', redirect_to_url: { url, return_url: session.success_url } },
    } satisfies Partial<Intent>)
    save(account, session, intent)
    account.publish('payment_intent.requires_action', intent)
    return
  }
  const charge = aCharge(intent, session, detailsOf(typed, brand, false))
  if (card?.decline) fail(account, session, charge, card.decline)
  else succeed(account, session, charge)
}

export const isAtBank = (account: StripeAccount, session: Session): boolean =>
  isOpen(account, session) && intentOf(account, session).status === 'requires_action'

/** What the customer told the bank. Nothing of the card was kept but that it is the one that asks. */
export const answerBank = (account: StripeAccount, session: Session, isApproved: boolean): void => {
  if (!isApproved) {
    fail(account, session, undefined, {
      code: 'payment_intent_authentication_failure',
      says: 'The provided payment method has failed authentication. You can provide another payment method.',
    })
    return
  }
  const paidWith = cardDetails('visa', '3184', new Date().getFullYear() + 1, 12, true)
  succeed(account, session, aCharge(intentOf(account, session), session, paidWith))
}

const DEBITS: Record<string, 'sepa_debit' | 'bacs_debit'> = { eur: 'sepa_debit', gbp: 'bacs_debit' }
export const debitFor = ({ currency }: Session) => DEBITS[currency ?? '']

/** How the accounts end of which a debit arrives, and of which it never does. */
const DEBIT_ENDS = { arrives: '3201', fails: '3202' } as const
export type DebitEnd = keyof typeof DEBIT_ENDS

const debitDetails = (type: 'sepa_debit' | 'bacs_debit', last4: string): PaidWith => {
  const common = { fingerprint: null, last4, mandate: null }
  return type === 'sepa_debit'
    ? { type, sepa_debit: { ...common, bank_code: null, branch_code: null, country: 'AT' } }
    : { type, bacs_debit: { ...common, sort_code: '108800' } }
}

/** The order is complete, the money promised: it comes later, or does not. */
export const payByDebit = (account: StripeAccount, session: Session, end: DebitEnd): void => {
  const type = debitFor(session)
  if (!type) throw new StripeError(400, 'No bank debit in this currency')
  const intent = begin(account, session, 'Ada Lovelace', null)
  const charge = aCharge(intent, session, debitDetails(type, DEBIT_ENDS[end]))
  account.books.charges.put(charge)
  Object.assign(intent, { status: 'processing', latest_charge: charge.id, last_payment_error: null })
  Object.assign(session, { status: 'complete', payment_status: 'unpaid', url: null })
  save(account, session, intent)
  account.publish('charge.pending', charge)
  account.publish('payment_intent.processing', intent)
  account.publish('checkout.session.completed', session)
  account.later(() => account.later(() => endDebit(account, session)))
}

export const endDebit = (account: StripeAccount, session: Session): void => {
  if (!account.books.sessions.find(session.id)) return
  const intent = intentOf(account, session)
  const charge = account.books.charges.find(intent.latest_charge ?? '')
  if (intent.status !== 'processing' || !charge) return
  const details = charge.payment_method_details
  const last4 = details?.sepa_debit?.last4 ?? details?.bacs_debit?.last4
  if (last4 === DEBIT_ENDS.arrives) {
    succeed(account, session, charge)
    return
  }
  fail(account, session, charge, {
    code: 'payment_intent_payment_attempt_failed',
    says: 'The payment failed: the account has insufficient funds.',
  })
  account.publish('checkout.session.async_payment_failed', session)
}
