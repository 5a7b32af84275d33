import { randomUUID } from 'node:crypto'
import { expectAlike, expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const order = (token: string | undefined, body: unknown) =>
  shop.call('POST', '/api/v1/orders', { token, body })
const list = (token?: string) => shop.call('GET', '/api/v1/orders', { token })
const get = (token: string | undefined, id: string) => shop.call('GET', `/api/v1/orders/${id}`, { token })

describe('POST /api/v1/orders', () => {
  test('takes what the calculator shows, and answers the id of the order', async () => {
    const { token } = await aCustomer(shop)
    const choice = { days: 30, connections: 4, features: { feature1: true }, currency: 'EUR' as const }
    const reply = await order(token, anOrderBody(choice))
    expect(reply.status).toBe(201)
    const { body } = await get(token, reply.body.orderId)
    expect(body).toMatchObject({
      orderId: reply.body.orderId,
      total: 30.15,
      currency: { code: 'EUR', symbol: '€' },
      days: 30,
      connections: 4,
      features: { feature1: true, feature2: false, feature3: false, feature4: false },
      status: 'New',
    })
    expect(new Date(body.createdAt).toISOString()).toBe(body.createdAt)
    expect(body).not.toHaveProperty('pan')
  })

  test.each([
    [1, 3, {}, 1],
    [365, 13, { feature1: true, feature2: true, feature3: true, feature4: true }, 366.11],
    [7, 5, { feature2: true, feature4: true }, 7.24],
  ])('takes %i days with %i connections', async (days, connections, features, total) => {
    const { token } = await aCustomer(shop)
    expect(anOrderBody({ days, connections, features }).total).toBe(total)
    expect((await order(token, anOrderBody({ days, connections, features }))).status).toBe(201)
  })

  test('takes the currency as an object or as its code', async () => {
    const { token } = await aCustomer(shop)
    for (const currency of ['GBP', { code: 'GBP' }, { code: 'GBP', symbol: '£' }]) {
      const reply = await order(token, { ...anOrderBody(), currency })
      expect((await get(token, reply.body.orderId)).body.currency).toEqual({ code: 'GBP', symbol: '£' })
    }
  })

  test('takes features that are left out as not chosen', async () => {
    const { token } = await aCustomer(shop)
    const { features, ...without } = anOrderBody()
    expect((await order(token, without)).status).toBe(201)
    expect((await order(token, { ...without, features: {} })).status).toBe(201)
  })

  test.each([29.99, 30.01, 0, -30, 3000, 30.001, '30.00', null])(
    'refuses the total %j for what costs 30.00, and keeps nothing',
    async (total) => {
      const { token } = await aCustomer(shop)
      const reply = expectProblem(await order(token, { ...anOrderBody(), total }), 422)
      expect(messageFor(reply, 'total')).toBeDefined()
      expect((await list(token)).body).toEqual([])
    },
  )

  test.each([
    ['days', 0],
    ['days', 366],
    ['days', 1.5],
    ['days', '30'],
    ['days', null],
    ['days', -1],
    ['connections', 2],
    ['connections', 14],
    ['connections', 3.5],
    ['connections', '3'],
    ['features', { feature1: 'yes' }],
    ['features', []],
    ['currency', 'USD'],
    ['currency', { code: 'EUR', symbol: '£' }],
    ['currency', undefined],
    ['currency', 'constructor'],
  ])('refuses %s %j', async (field, value) => {
    const { token } = await aCustomer(shop)
    const reply = expectProblem(await order(token, { ...anOrderBody(), [field]: value }), 422)
    expect(reply.body.errors.map(({ path }: { path: string }) => path.split('.')[0])).toContain(field)
    expect((await list(token)).body).toEqual([])
  })

  test('is for customers', async () => {
    expectProblem(await order(undefined, anOrderBody()), 401)
  })

  test('asks who calls before it looks at what they say', async () => {
    expectProblem(await order(undefined, '{'), 401)
  })
})

describe('GET /api/v1/orders/:id', () => {
  test('hides an order from every other customer', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const { orderId } = await anOrder(shop, ada)
    const hidden = expectProblem(await get(eve.token, orderId), 404)
    const unknown = expectProblem(await get(eve.token, randomUUID()), 404)
    expectAlike(hidden, unknown)
  })

  test.each([
    ['of one digit', '1'],
    ['of letters', 'abc'],
    ['of a null character', '%00'],
    ['of a quote', "'"],
    ['of 200 letters', 'x'.repeat(200)],
    ['of 2000 letters', 'x'.repeat(2000)],
    ['that is no right escape', '%zz'],
  ])('knows no order by an id %s', async (_, id) => {
    const { token } = await aCustomer(shop)
    expectProblem(await get(token, id), 404)
  })

  test('shows how a completed order was paid', async () => {
    const { customer, order } = await aPurchase(shop)
    expect((await get(customer.token, order.orderId)).body).toMatchObject({
      status: 'Completed',
      authCode: expect.stringMatching(/^\d{6}$/),
      pan: '400000******0077',
      cardHolder: 'ADA LOVELACE',
    })
  })

  test('is for customers', async () => {
    expectProblem(await get(undefined, randomUUID()), 401)
  })
})

describe('GET /api/v1/orders', () => {
  test('lists the customer’s own orders, newest first', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const first = await anOrder(shop, ada, { days: 1 })
    const second = await anOrder(shop, ada, { days: 2 })
    await anOrder(shop, eve)
    const { body } = await list(ada.token)
    expect(body.map(({ orderId }: { orderId: string }) => orderId)).toEqual([second.orderId, first.orderId])
  })

  test('is empty for a newcomer', async () => {
    const { token } = await aCustomer(shop)
    expect((await list(token)).body).toEqual([])
  })

  test('is for customers', async () => {
    expectProblem(await list(), 401)
  })
})
