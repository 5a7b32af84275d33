import { expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { cardBody } from '#testing/payments.ts'
import { startTestShop } from '#testing/test-shop.ts'

test.each([
  ['behind a trusted proxy, the one that it forwards', { TRUSTED_PROXIES: '127.0.0.1' }, '203.0.113.9'],
  ['without one, the one that calls', {}, '127.0.0.1'],
])('the gateway gets the payer’s address: %s', async (_, env, address) => {
  const shop = await startTestShop({ env })
  const { token, ...customer } = await aCustomer(shop)
  const order = await anOrder(shop, { token, ...customer })
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const reply = await shop.call('POST', `/api/v1/orders/${order.orderId}`, {
    token,
    headers,
    body: cardBody(order),
  })
  expect(reply.status).toBe(200)
  const sale = shop.gateCalls.find(({ path }) => path.endsWith('/card/sale'))
  expect(sale?.body.customer.ip_address).toBe(address)
})
