import { callerOf } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem } from '@hedgerow/testing/problems'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '#platform/settings.ts'
import { startServer } from '#server/server.ts'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { BANKS, payByBank, payByBlik, setRate } from '#testing/payment-methods.ts'
import { connectionsOf } from '#testing/payments.ts'
import { actAtStripe, aStripePurchase } from '#testing/stripe.ts'
import { environmentOf, openGround } from '#testing/test-shop.ts'

test('a shop without the Gate sells by Stripe, and refuses what only the Gate carries', async () => {
  const ground = await openGround()
  const read = readSettings(environmentOf(ground, await freePort()))
  const settings = { ...read, gate: null, carriers: { ...read.carriers, card: 'stripe' as const } }
  const server = await startServer({ settings })
  onTestFinished(async () => {
    await server.stop()
    await ground.close()
  })
  const shop = { ...ground, ...server, settings, call: callerOf(server.url) } as never as Parameters<
    typeof aStripePurchase
  >[0]
  await actAtStripe(shop, 'endpoints', { url: `${server.url}/api/v1/payment/stripe` })
  const { body: methods } = await shop.call('GET', '/api/v1/payment/methods')
  expect(methods).toMatchObject({
    card: { hosted: true },
    openBanking: { currencies: [] },
    blik: { rates: [] },
  })
  const { paymentId } = await aStripePurchase(shop)
  expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  expectProblem(await payByBank(shop, customer, order, { country: 'uk', bankId: BANKS.consent }), 409)
  await setRate(ground, order.currency.code, 4_250_000)
  expectProblem(await payByBlik(shop, customer, order), 409)
  expectProblem(await shop.call('POST', '/api/v1/payment/callback', { body: {} }), 404)
})
