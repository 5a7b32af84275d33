import type { Answer } from '#money/gateway/answer.ts'
import type {
  Acceptance,
  Gateway,
  OnSilence,
  PageAnswer,
  PageSale,
  PaymentRef,
  Refund,
  StatusAnswer,
} from '#money/gateway/gateway.ts'
import { PAGE_OPEN_S, resultPageOf } from '#money/gateway/gateway.ts'
import { readDispute } from '#money/gateway/stripe/read-dispute.ts'
import {
  readListed,
  readRefunds,
  readSession,
  type Session,
  updateOf,
} from '#money/gateway/stripe/read-session.ts'
import { createStripeCall, isLiveKey, type StripeCall } from '#money/gateway/stripe/stripe-call.ts'
import type { Settings } from '#platform/settings.ts'

type StripeSettings = { stripe: NonNullable<Settings['stripe']>; publicUrl: string }

/** The most that a list answers with at once. No payment is given back in so many parts. */
const MOST_REFUNDS = 100

/** A session is open for 30 minutes at least, by their clock: ours may be behind. */
const CLOCK_S = 60

const sessionFields = (publicUrl: string, sale: PageSale, now: Date) => {
  const { paymentId, amountMinor, currency, description, customer, cancelPath } = sale
  const named = { payment_id: paymentId }
  return {
    mode: 'payment',
    client_reference_id: String(customer.id ?? ''),
    customer_email: customer.email,
    success_url: resultPageOf(publicUrl, paymentId),
    cancel_url: `${publicUrl}${cancelPath}`,
    expires_at: Math.floor(now.getTime() / 1000) + PAGE_OPEN_S + CLOCK_S,
    locale: 'en-GB',
    payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: amountMinor,
          product_data: { name: description },
        },
      },
    ],
    metadata: named,
    // It is not copied from the session, and events of charges and refunds have no other.
    payment_intent_data: { metadata: named },
  }
}

const startPage = async (
  call: StripeCall,
  publicUrl: string,
  sale: PageSale,
  now: Date,
): Promise<PageAnswer> => {
  const answer = await call.post(
    'checkout/sessions',
    sessionFields(publicUrl, sale, now),
    `${sale.paymentId}-sale`,
  )
  if (answer.kind === 'unknown') return { kind: 'unknown', reason: answer.reason }
  if (answer.kind === 'refused') return answer
  const { id, url } = answer.body as { id?: unknown; url?: unknown }
  return typeof id === 'string' && typeof url === 'string' && /^https?:\/\//.test(url)
    ? { kind: 'page', url, ref: id }
    : { kind: 'unknown', reason: 'no address' }
}

type Found = { kind: 'session'; session: Session } | Exclude<StatusAnswer, { kind: 'found' }>

/** Only a session that this shop made for this payment counts: others on the same account have the same form. */
const findSession = async (call: StripeCall, { id, ref }: PaymentRef, isLive: boolean): Promise<Found> => {
  if (ref === null) return { kind: 'unseen' }
  const answer = await call.get(`checkout/sessions/${encodeURIComponent(ref)}`, {
    expand: ['payment_intent.latest_charge'],
  })
  if (answer.kind === 'unknown') return answer
  if (answer.kind === 'refused')
    return answer.http === 404
      ? { kind: 'unseen' }
      : { kind: 'unknown', reason: answer.code, isSilent: false }
  const session = readSession(answer.body)
  return session?.metadata.payment_id === id && session.livemode === isLive
    ? { kind: 'session', session }
    : { kind: 'unreadable' }
}

/** Refused where it has been paid, or its time is over. */
const expireSession = async (call: StripeCall, { id, ref }: PaymentRef): Promise<Acceptance> => {
  const answer = await call.post(
    `checkout/sessions/${encodeURIComponent(ref ?? '')}/expire`,
    {},
    `${id}-expire`,
  )
  return answer.kind === 'answered' ? { kind: 'accepted', requestId: undefined } : answer
}

const listRefunds = (call: StripeCall, payment_intent: string): Promise<Answer> =>
  call.get('refunds', { payment_intent, limit: MOST_REFUNDS })

/** Other shops may use the account: whose session it is says the page that it leads back to. */
const isOf = (publicUrl: string, { success_url, metadata }: Session): boolean =>
  success_url === resultPageOf(publicUrl, metadata.payment_id)

const askForStatus = async (
  call: StripeCall,
  payment: PaymentRef,
  isLive: boolean,
  publicUrl: string,
): Promise<StatusAnswer> => {
  const at = new Date()
  const found = await findSession(call, payment, isLive)
  if (found.kind !== 'session') return found
  const { session } = found
  const intent = session.payment_intent?.id
  const refunds = session.payment_status === 'paid' && intent ? await listRefunds(call, intent) : undefined
  if (refunds?.kind === 'unknown') return refunds
  if (refunds?.kind === 'refused') return { kind: 'unknown', reason: refunds.code, isSilent: false }
  const update = updateOf(session, payment.id, readRefunds(refunds?.body), at)
  return { kind: 'found', update, isForeign: !isOf(publicUrl, session) }
}

const sendRefund = async (call: StripeCall, refund: Refund, isLive: boolean): Promise<Acceptance> => {
  const { payment, refundId } = refund
  const found = await findSession(call, payment, isLive)
  const intent = found.kind === 'session' ? found.session.payment_intent?.id : undefined
  if (found.kind === 'unknown') return found
  if (!intent) return { kind: 'refused', code: 'no-payment', message: 'Stripe knows no payment to give back' }
  // Keys are kept for a day: sent again after that, a part would go back twice.
  const made = await listRefunds(call, intent)
  if (made.kind === 'unknown') return made
  if (made.kind === 'refused') return { kind: 'unknown', reason: made.code }
  const before = readRefunds(made.body).find(({ metadata }) => metadata?.refund_id === refundId)
  if (before) return { kind: 'accepted', requestId: before.id }
  const answer = await call.post(
    'refunds',
    {
      payment_intent: intent,
      amount: refund.isWhole ? undefined : refund.amountMinor,
      reason: 'requested_by_customer',
      metadata: { payment_id: payment.id, refund_id: refundId },
    },
    refundId,
  )
  if (answer.kind !== 'answered') return answer
  const { id } = answer.body as { id?: unknown }
  return { kind: 'accepted', requestId: typeof id === 'string' ? id : undefined }
}

const PAGE = 100
/** More pages than that are no shop's. */
const MOST_PAGES = 50

/** The newest first, so that a page begins after the last of the one before. */
const listSince = async (
  call: StripeCall,
  path: string,
  since: Date,
  expand: readonly string[],
): Promise<unknown[] | undefined> => {
  const all: unknown[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const last = all.at(-1) as { id?: string } | undefined
    const answer = await call.get(path, {
      limit: PAGE,
      created: { gte: Math.floor(since.getTime() / 1000) },
      expand,
      starting_after: last?.id,
    })
    if (answer.kind !== 'answered') return undefined
    const { data, has_more } = answer.body as { data?: unknown; has_more?: unknown }
    if (!Array.isArray(data)) return undefined
    all.push(...data)
    if (has_more !== true || data.length === 0) return all
  }
  return all
}

/** Stripe's Checkout: the card is typed on their page. */
export const createStripeClient = (
  { stripe, publicUrl }: StripeSettings,
  onSilence: OnSilence = () => undefined,
): Gateway => {
  const call = createStripeCall(stripe, onSilence)
  const isLive = isLiveKey(stripe.key)
  return {
    page: (sale, now) => startPage(call, publicUrl, sale, now),
    status: (payment) => askForStatus(call, payment, isLive, publicUrl),
    refund: (refund) => sendRefund(call, refund, isLive),
    close: (payment) => expireSession(call, payment),
    chargebacks: async (since) =>
      (await listSince(call, 'disputes', since, ['data.payment_intent']))?.flatMap(
        (item) => readDispute(item, isLive) ?? [],
      ),
    paidSince: async (since) => {
      const sessions = await listSince(call, 'checkout/sessions', since, [])
      return sessions?.flatMap((item) => {
        const session = readListed(item)
        const isPaid = session?.payment_status === 'paid' && session.livemode === isLive
        return isPaid && isOf(publicUrl, session) ? { id: session.metadata.payment_id, ref: session.id } : []
      })
    },
  }
}
