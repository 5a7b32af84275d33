import { bankAnswer } from '@hedgerow/sandbox/issuer/bank-answer'
import type { Json, Reply } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anOrder, type Choice, type TestOrder } from '#testing/orders.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** The gateway's published test cards: the number alone decides what happens. */
export const CARDS = {
  paid: '4000000000000077',
  declined: '4111111111111111',
  challenged: '4314220000000056',
  challengedThenDeclined: '4314220000000072',
} as const

export type CardForm = Record<string, unknown>

/** The card form, filled in. */
export const aCard = (card: CardForm = {}): CardForm => ({
  pan: CARDS.paid,
  card_holder: 'ADA LOVELACE',
  month: '12',
  year: String((new Date().getUTCFullYear() + 3) % 100),
  cvv: '123',
  acceptTerms: true,
  ...card,
})

/** The same for an order. */
export const cardBody = (order: Pick<TestOrder, 'total' | 'currency'>, card: CardForm = {}): CardForm => ({
  total: order.total,
  currency: order.currency.code,
  ...aCard(card),
})

type Shop = Pick<TestShop, 'call'>
type Payer = Pick<TestCustomer, 'token'>

/** Presses the button that pays. */
export const pay = (shop: Shop, { token }: Payer, order: TestOrder, card: CardForm = {}): Promise<Reply> =>
  shop.call('POST', `/api/v1/orders/${order.orderId}`, { token, body: cardBody(order, card) })

/** The same, where only the payment is needed. */
export const startPayment = async (
  shop: Shop,
  customer: Payer,
  order: TestOrder,
  card: CardForm = {},
): Promise<string> => {
  const reply = await pay(shop, customer, order, card)
  if (reply.status !== 200) throw new Error(`The payment was not taken: ${reply.text}`)
  return reply.body.paymentId
}

export const statusOf = async (shop: Shop, paymentId: string): Promise<string> =>
  (await shop.call('GET', `/api/v1/payment/status/${paymentId}`)).body.status

/** Waits, as the result page does, until the payment stands so. */
export const reached = (shop: Shop, paymentId: string, ...statuses: string[]): Promise<string> =>
  until(async () => {
    const status = await statusOf(shop, paymentId)
    return statuses.includes(status) && status
  })

/** Waits for the challenge, and returns what the page gets of it. */
export const challengeOf = async (shop: Shop, paymentId: string): Promise<Json> => {
  await reached(shop, paymentId, 'awaiting 3ds result')
  const { body } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
  return JSON.parse(body.metadata)
}

/** What the bank's page sends back with the customer. */
export const bankForm = ({ pa_req, md }: Json, isApproved = true): URLSearchParams =>
  new URLSearchParams({ PaRes: bankAnswer(pa_req, isApproved), MD: md })

export const sendToChallenge = (shop: Shop, paymentId: string, form?: URLSearchParams): Promise<Reply> =>
  shop.call('POST', `/api/v1/payment/challenge/${paymentId}`, form ? { body: form } : {})

/** Says yes or no on the bank's page. */
export const answerChallenge = async (shop: Shop, paymentId: string, isApproved = true): Promise<Reply> =>
  sendToChallenge(shop, paymentId, bankForm(await challengeOf(shop, paymentId), isApproved))

export type Purchase = { customer: TestCustomer; order: TestOrder; paymentId: string }

/** A purchase from the calculator to the delivery, by a card without a challenge. */
export const aPurchase = async (
  shop: Shop & Pick<TestShop, 'db'>,
  choice: Partial<Choice> = {},
  card: CardForm = {},
  buyer?: TestCustomer,
): Promise<Purchase> => {
  const customer = buyer ?? (await aCustomer(shop))
  const order = await anOrder(shop, customer, choice)
  const paymentId = await startPayment(shop, customer, order, card)
  await reached(shop, paymentId, 'Success')
  return { customer, order, paymentId }
}

/** Pays by a card whose bank asks first; something else happens before its customer answers. */
export const paidWhile = async (
  shop: Shop,
  customer: Payer,
  order: TestOrder,
  happens: () => Promise<unknown>,
): Promise<string> => {
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await reached(shop, paymentId, 'awaiting 3ds result')
  await happens()
  await answerChallenge(shop, paymentId)
  await reached(shop, paymentId, 'Success')
  return paymentId
}

/** A purchase that waits for room: every node was closed while its customer paid. */
export const aWaitingPurchase = async (
  shop: Shop & Pick<TestShop, 'db'>,
  choice: Partial<Choice> = {},
): Promise<Purchase> => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer, choice)
  const close = () => shop.db.updateTable('nodes').set({ is_open: false }).execute()
  return { customer, order, paymentId: await paidWhile(shop, customer, order, close) }
}

/** The connections that a payment made, with their current peers, in their order. */
export const connectionsOf = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db
    .selectFrom('connections')
    .innerJoin('peers', (join) =>
      join.onRef('peers.connection_id', '=', 'connections.id').on('peers.replaced_at', 'is', null),
    )
    .selectAll('connections')
    .select([
      'peers.id as peer_id',
      'peers.node_id',
      'peers.position',
      'peers.public_key',
      'peers.private_key_encrypted',
      'peers.preshared_key_encrypted',
      'peers.removed_at',
    ])
    .where('payment_id', '=', paymentId)
    .orderBy('ordinal')
    .execute()

export const paymentRow = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirstOrThrow()
