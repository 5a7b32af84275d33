import { createHmac } from 'node:crypto'
import { DEFAULT_SETTINGS } from '@hedgerow/sandbox/settings'
import type { Json, Reply } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { setRunningSetting } from '#platform/running-settings/running-settings.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { paymentRow, reached } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'sandbox' | 'db' | 'call' | 'url' | 'settings'>

/** Stripe's published test cards: the number alone decides what happens. */
export const STRIPE_CARDS = {
  paid: '4242424242424242',
  declined: '4000000000000002',
  challenged: '4000002760003184',
  disputed: '4000000000000259',
  refundsLater: '4000000000007726',
  refundsFail: '4000000000005126',
} as const

/** What Stripe's dashboard, or the world, does to a payment. */
export const actAtStripe = async (
  { sandbox }: Pick<Shop, 'sandbox'>,
  path: string,
  body: object = {},
  method = 'POST',
): Promise<Json> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${sandbox.url}/stripe/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/** A list of Stripe's API, or one of its objects; with fields, one that is made. */
export const askStripe = async (
  { sandbox }: Pick<Shop, 'sandbox'>,
  path: string,
  fields?: Record<string, string>,
): Promise<Json> => {
  const headers = { authorization: `Bearer ${DEFAULT_SETTINGS.stripeKey}` }
  const made = fields && { method: 'POST', body: new URLSearchParams(fields) }
  return (await fetch(`${sandbox.url}/v1/${path}`, { headers, ...made })).json() as Promise<Json>
}

/** From now on Stripe carries cards, and its events come to the shop. */
export const sellByStripe = async (shop: Shop): Promise<void> => {
  await actAtStripe(shop, 'endpoints', { url: `${shop.url}/api/v1/payment/stripe` })
  await setRunningSetting(shop.db, 'card-gateway', 'stripe', null)
  await until(async () => (await shop.call('GET', '/api/v1/payment/methods')).body.card.hosted)
}

export const payOnPage = (
  shop: Pick<Shop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
  order: TestOrder,
  more: object = {},
): Promise<Reply> =>
  shop.call('POST', `/api/v1/orders/${order.orderId}`, {
    token,
    body: { total: order.total, currency: order.currency.code, acceptTerms: true, ...more },
  })

export type StripePurchase = { customer: TestCustomer; order: TestOrder; paymentId: string; page: string }

/** Where the customer is sent. */
export const pageOf = async (shop: Pick<Shop, 'call'>, paymentId: string): Promise<string> => {
  await reached(shop, paymentId, 'awaiting redirect result')
  const { body } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
  return JSON.parse(body.metadata).url
}

/** An attempt whose customer stands before Stripe's page. */
export const aPageAttempt = async (shop: Shop): Promise<StripePurchase> => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const { body, status } = await payOnPage(shop, customer, order)
  if (status !== 200) throw new Error(`The payment was not taken: ${JSON.stringify(body)}`)
  return { customer, order, paymentId: body.paymentId, page: await pageOf(shop, body.paymentId) }
}

/** What the customer's browser sends from there, without following where it is sent on to. */
export const typeAtStripe = (page: string, pan: string = STRIPE_CARDS.paid): Promise<Response> =>
  fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ pan, expiry: '12 / 35', cvc: '123', name: 'Ada Lovelace' }),
    redirect: 'manual',
  })

/** A purchase to the delivery, paid at Stripe. */
export const aStripePurchase = async (shop: Shop, pan?: string): Promise<StripePurchase> => {
  const purchase = await aPageAttempt(shop)
  await typeAtStripe(purchase.page, pan)
  await reached(shop, purchase.paymentId, 'Success')
  return purchase
}

/** The session of a payment, as Stripe's books have it. */
export const sessionOf = async (shop: Shop, paymentId: string): Promise<Json> => {
  const { gateway_ref } = await paymentRow(shop, paymentId)
  return askStripe(shop, `checkout/sessions/${gateway_ref}?expand[0]=payment_intent.latest_charge`)
}

type Signing = { secret?: string; at?: number; header?: string }

/** Sends the shop an event as Stripe does. */
export const sendEvent = (
  shop: Pick<Shop, 'call'>,
  event: object | string,
  { secret = DEFAULT_SETTINGS.stripeWebhookSecret, at = Math.floor(Date.now() / 1000), header }: Signing = {},
): Promise<Reply> => {
  const body = typeof event === 'string' ? event : JSON.stringify(event, null, 2)
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return shop.call('POST', '/api/v1/payment/stripe', {
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': header ?? `t=${at},v1=${v1}` },
  })
}
