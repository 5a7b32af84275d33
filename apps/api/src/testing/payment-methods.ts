import type { Json, Reply } from '@hedgerow/testing/call'
import { insertRate } from '#money/rates/rates.queries.ts'
import type { TestCustomer } from '#testing/customers.ts'
import type { TestOrder } from '#testing/orders.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** The sandbox's own cards, for turns of the protocol that no published number leads to. */
export const TURNS = {
  asksForAddress: '4000001111000014',
  showsCode: '4000001111000022',
  sendsCode: '4000001111000030',
  asksTwice: '4000001111000048',
  asksElsewhere: '4000001111000055',
} as const

/** Banks of the sandbox, by what they do. */
export const BANKS = {
  consent: '3541',
  noConsent: '3851',
  byPost: '3871',
  confirmedLater: '3701',
  inGermany: '5101',
} as const

const PAYER = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', acceptTerms: true }

type Shop = Pick<TestShop, 'call'>
type Payer = { token: string | undefined }
type Fields = Record<string, unknown>

const payAt =
  (payBy: 'ob' | 'blik') =>
  (shop: Shop, { token }: Payer, order: TestOrder, fields: Fields = {}) =>
    shop.call('POST', `/api/v1/orders/${payBy}/${order.orderId}`, {
      token,
      body: { total: order.total, currency: order.currency.code, ...PAYER, ...fields },
    })

/** Presses the button that pays, on the forms that lead elsewhere. */
export const payByBank = payAt('ob')
export const payByBlik = payAt('blik')

type PayBy = typeof payByBank

/** The same, where only the payment is needed. */
export const startBy = async (
  payBy: PayBy,
  shop: Shop,
  customer: Pick<TestCustomer, 'token'>,
  order: TestOrder,
  fields: Fields = {},
): Promise<string> => {
  const reply = await payBy(shop, customer, order, fields)
  if (reply.status !== 200) throw new Error(`The payment was not taken: ${reply.text}`)
  return reply.body.paymentId
}

/** What the result page gets besides the status. */
export const metadataOf = async (shop: Shop, paymentId: string): Promise<Json> =>
  JSON.parse((await shop.call('GET', `/api/v1/payment/status/${paymentId}`)).body.metadata)

/** Answers at the bank or the provider, as the customer does on its page. */
export const answerElsewhere = async (
  { sandbox }: Pick<TestShop, 'sandbox'>,
  paymentId: string,
  answer: 'approve' | 'refuse' = 'approve',
  code?: string,
): Promise<number> => {
  const response = await fetch(`${sandbox.url}/gate/payments/${paymentId}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ answer, code }),
  })
  return response.status
}

export const clarify = (shop: Shop, paymentId: string, answers: Fields): Promise<Reply> =>
  shop.call('POST', `/api/v1/payment/clarification/${paymentId}`, { body: { answers } })

/** Without a code: agrees that one is sent. */
export const authorise = (shop: Shop, paymentId: string, code?: string): Promise<Reply> =>
  shop.call('POST', `/api/v1/payment/authorisation/${paymentId}`, { body: { code } })

/** What one of the currency is worth in PLN from now on. */
export const setRate = (
  { db }: Pick<TestShop, 'db'>,
  currency: 'EUR' | 'GBP',
  rateMicro: number,
): Promise<void> => insertRate(db, currency, rateMicro)
