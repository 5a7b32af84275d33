import type { TestCustomer } from '#testing/customers.ts'
import type { Choice } from '#testing/orders.ts'
import { anOrder } from '#testing/orders.ts'
import { aCard, type CardForm, reached } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** A purchase in a shop with CARD_FORM=hosted: the card is typed on the gateway's own page. */
export const buyOnPage = async (
  shop: Pick<TestShop, 'call' | 'sandbox'>,
  customer: TestCustomer,
  card: CardForm = {},
  choice: Partial<Choice> = {},
): Promise<string> => {
  const { orderId, total, currency } = await anOrder(shop, customer, choice)
  const body = { total, currency: currency.code, acceptTerms: true }
  const { token } = customer
  const { paymentId } = (await shop.call('POST', `/api/v1/orders/${orderId}`, { token, body })).body
  await reached(shop, paymentId, 'awaiting redirect result')
  const { metadata } = (await shop.call('GET', `/api/v1/payment/status/${paymentId}`)).body
  const page = `${shop.sandbox.url}/payment${new URL(JSON.parse(metadata).url).search}`
  const typed = new URLSearchParams()
  for (const [name, value] of Object.entries(aCard(card))) typed.set(name, String(value))
  await fetch(page, { method: 'POST', body: typed, redirect: 'manual' })
  await reached(shop, paymentId, 'Success')
  return paymentId
}
