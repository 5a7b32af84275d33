import { expectProblem } from '@hedgerow/testing/problems'
import { expect } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { earningOf, type TestPartner } from '#testing/partners.ts'
import { pay, reached, startPayment } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

export const sumsShown = async (
  shop: TestShop,
  { token }: TestCustomer,
  { orderId }: Pick<TestOrder, 'orderId'>,
) => {
  const { price, discount, total, promocode, status } = (
    await shop.call('GET', `/api/v1/orders/${orderId}`, { token })
  ).body
  return { price, discount, total, promocode, status }
}

export const enterPromocode = (
  shop: TestShop,
  { token }: TestCustomer,
  { orderId }: TestOrder,
  promocode: string | null,
) => shop.call('POST', `/api/v1/orders/${orderId}/promocode`, { token, body: { promocode } })

/** An order of €30.00 with the partner's code. */
export const anOrderWith = async (shop: TestShop, { promocode }: TestPartner, buyer?: TestCustomer) => {
  const customer = buyer ?? (await aCustomer(shop))
  return { customer, order: await anOrder(shop, customer, { promocode }) }
}

export const buyWith = async (shop: TestShop, partner: TestPartner, buyer?: TestCustomer) => {
  const { customer, order } = await anOrderWith(shop, partner, buyer)
  const paymentId = await startPayment(shop, customer, order)
  await reached(shop, paymentId, 'Success')
  return { customer, order, paymentId }
}

export const creditedTo = async (shop: TestShop, paymentId: string) => {
  await creditPartners(shop)
  return earningOf(shop, paymentId)
}

export const refusedAsUsedUp = async (
  shop: TestShop,
  customer: TestCustomer,
  order: TestOrder,
  card = {},
) => {
  const { body } = expectProblem(await pay(shop, customer, order, card), 409)
  expect(body.code).toBe('promocode-used-up')
  return body.detail as string
}

export const attemptsOf = (shop: TestShop, { orderId }: TestOrder) =>
  shop.db.selectFrom('payments').select('id').where('order_id', '=', orderId).execute()
