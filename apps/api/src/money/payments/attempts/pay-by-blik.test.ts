import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { beforeAll, describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, metadataOf, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { connectionsOf, paymentRow, reached } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

beforeAll(async () => {
  await shop.db.deleteFrom('rates').where('currency', '=', 'GBP').execute()
  // €30.00 are 127.54 PLN.
  await setRate(shop, 'EUR', 4_251_200)
})

const start = async (fields: Record<string, unknown> = {}) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  return { customer, order, paymentId: await startBy(payByBlik, shop, customer, order, fields) }
}

const atBlik = async () => {
  const started = await start()
  await reached(shop, started.paymentId, 'awaiting redirect result')
  return started
}

describe('paying by Blik', () => {
  test('asks the gateway for złoty at the operator’s rate, and keeps both sums with it', async () => {
    const { paymentId } = await start({ settles: 127.54 })
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      method: 'blik',
      amount_minor: 3000,
      currency: 'EUR',
      charged_minor: 12_754,
      charged_currency: 'PLN',
      rate_micro: 4_251_200,
      rated_at: expect.any(Date),
    })
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 12_754, currency: 'PLN' })
  })

  test('shows the rate and its date before a customer pays', async () => {
    const { body } = await shop.call('GET', '/api/v1/payment/methods')
    expect(body.blik.rates).toEqual([
      { currency: 'EUR', rateMicro: 4_251_200, setAt: expect.stringMatching(/Z$/) },
    ])
  })

  test('delivers once the code is right, and not before', async () => {
    const { paymentId, customer } = await atBlik()
    expect(await answerElsewhere(shop, paymentId, 'approve', '000000')).toBe(409)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    await answerElsewhere(shop, paymentId, 'approve', '123456')
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(body[0]).toMatchObject({ total: 30, charged: { total: 127.54, currency: 'PLN' }, method: 'blik' })
  })

  test('waits for what the customer does in the bank’s app, and shows nothing of the page before', async () => {
    const { paymentId } = await atBlik()
    await answerElsewhere(shop, paymentId, 'approve', '111111')
    await reached(shop, paymentId, 'awaiting customer action')
    expect(await metadataOf(shop, paymentId)).toEqual({ display: [] })
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
  })

  test.each([
    [12_754, 'PLN', 3],
    [3000, 'EUR', 0],
    [12_754, 'EUR', 0],
    [3000, 'PLN', 0],
  ])(
    'a success of %i %s buys what was shown only for the very złoty',
    async (amountMinor, currency, made) => {
      const { paymentId } = await atBlik()
      expect((await sendUpdate(shop, { paymentId, amountMinor, currency, status: 'success' })).status).toBe(
        200,
      )
      expect(await connectionsOf(shop, paymentId)).toHaveLength(made)
      expect((await paymentRow(shop, paymentId)).refund_due).toBe(made === 0)
    },
  )

  test.each([
    ['no email', undefined],
    ['an empty email', ''],
  ])('with %s the gateway gets the account’s', async (_, email) => {
    const { paymentId, customer } = await start({ email })
    const sale = shop.gateCalls.find(({ body }) => body.general?.payment_id === paymentId)
    expect(sale?.body.customer.email).toBe(customer.email)
  })

  test('charges no other sum than the one that was shown, by not even a grosz', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    for (const settles of [127.53, 127.55]) {
      const reply = expectProblem(await payByBlik(shop, customer, order, { settles }), 422)
      expect(messageFor(reply, 'settles')).toBeDefined()
    }
    const rows = await shop.db.selectFrom('payments').where('order_id', '=', order.orderId).execute()
    expect(rows).toEqual([])
  })

  test('keeps the rate that was shown when the operator sets another one afterwards', async () => {
    const own = await startTestShop()
    await setRate(own, 'EUR', 4_000_000)
    const customer = await aCustomer(own)
    const order = await anOrder(own, customer)
    const paymentId = await startBy(payByBlik, own, customer, order, { settles: 120 })
    await setRate(own, 'EUR', 5_000_000)
    await reached(own, paymentId, 'awaiting redirect result')
    await answerElsewhere(own, paymentId)
    await reached(own, paymentId, 'Success')
    expect(await paymentRow(own, paymentId)).toMatchObject({ rate_micro: 4_000_000, charged_minor: 12_000 })
    const another = await anOrder(own, customer)
    expectProblem(await payByBlik(own, customer, another, { settles: 120 }), 422)
  })

  test('is not open for a currency without a rate', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { currency: 'GBP' })
    const reply = expectProblem(await payByBlik(shop, customer, order), 409)
    expect(reply.body).toMatchObject({
      code: 'method-not-open',
      detail: 'You cannot pay by Blik in GBP here. Nothing was charged. Pay by card.',
    })
  })

  test('is not open above 10,000 PLN', async () => {
    const own = await startTestShop()
    await setRate(own, 'EUR', 27_397_260)
    await setRate(own, 'GBP', 27_397_300)
    const customer = await aCustomer(own)
    const most = await anOrder(own, customer, { days: 365 })
    expect((await payByBlik(own, customer, most, { settles: 10_000 })).status).toBe(200)
    const more = await anOrder(own, customer, { days: 365, currency: 'GBP' })
    const reply = expectProblem(await payByBlik(own, customer, more), 409)
    expect(reply.body.detail).toBe('Blik takes 10,000 PLN at most. Nothing was charged. Pay by card.')
  })
})
