import { randomUUID } from 'node:crypto'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { toMajor, toMinor } from '@hedgerow/domain/money'
import { PARTNER_LEVELS } from '@hedgerow/domain/partnership'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { fewOrAll } from '@hedgerow/testing/strength'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anOrder, anOrderBody, type Choice } from '#testing/orders.ts'
import { aPartner, setStanding } from '#testing/partners.ts'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  challengeOf,
  pay,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

type Body = Record<string, unknown>

const order = ({ token }: TestCustomer, body: Body = {}) =>
  shop.call('POST', '/api/v1/orders', { token, body: { ...anOrderBody(), ...body } })

const check = ({ token }: TestCustomer, promocode: unknown) =>
  shop.call('POST', '/api/v1/partnership/promocode', { token, body: { promocode } })

const enter = ({ token }: Pick<TestCustomer, 'token'>, orderId: string, promocode: unknown) =>
  shop.call('POST', `/api/v1/orders/${orderId}/promocode`, { token, body: { promocode } })

const shown = async ({ token }: TestCustomer, orderId: string) => {
  const { price, discount, total, promocode } = (
    await shop.call('GET', `/api/v1/orders/${orderId}`, { token })
  ).body
  return { price, discount, total, promocode }
}

const ordersOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('orders').select('id').where('customer_id', '=', id).execute()

/** Every way to enter a code for what the calculator shows. */
const WAYS = {
  'asked about': async (customer: TestCustomer, code: unknown) => check(customer, code),
  'ordered with': async (customer: TestCustomer, code: unknown) => order(customer, { promocode: code }),
  'entered for an order': async (customer: TestCustomer, code: unknown) =>
    enter(customer, (await anOrder(shop, customer)).orderId, code),
}

describe.each(Object.entries(WAYS))('a promocode that is %s', (name, use) => {
  test.each([
    ['unknown', async () => 'NOBODYS234', OUR_MESSAGES.promocodeUnknown],
    ['nothing like one', async () => "A' or 1=1", OUR_MESSAGES.promocodeUnknown],
    ['too long', async () => 'A'.repeat(33), OUR_MESSAGES.promocodeUnknown],
    [
      'closed',
      async () => (await aPartner(shop, { promocode_closed_at: new Date() })).promocode,
      OUR_MESSAGES.promocodeUnknown,
    ],
    [
      'used up',
      async () => (await aPartner(shop, { promocode_limit: 0 })).promocode,
      OUR_MESSAGES.promocodeUsedUp,
    ],
  ])('is refused when it is %s', async (_, codeOf, message) => {
    const customer = await aCustomer(shop)
    const reply = expectProblem(await use(customer, await codeOf()), 422)
    expect(messageFor(reply, 'promocode')).toBe(message)
    if (name === 'ordered with') expect(await ordersOf(customer)).toEqual([])
  })

  test('is refused when it is the customer’s own, also when it is closed', async () => {
    const partner = await aPartner(shop)
    const refuses = async () =>
      messageFor(expectProblem(await use(partner, partner.promocode), 422), 'promocode')
    expect(await refuses()).toBe(OUR_MESSAGES.promocodeOwn)
    await setStanding(shop, partner, { promocode_closed_at: new Date() })
    expect(await refuses()).toBe(OUR_MESSAGES.promocodeOwn)
  })

  test.each([7, {}, ['A'], true])('is refused when it is %j', async (code) => {
    expectProblem(await use(await aCustomer(shop), code), 422)
  })

  test('is taken in any letter case, with blanks around', async () => {
    const { promocode } = await aPartner(shop)
    const reply = await use(await aCustomer(shop), `  ${promocode.toLowerCase()}\t`)
    expect(reply.status, reply.text).toBeLessThan(300)
  })
})

describe('POST /api/v1/partnership/promocode', () => {
  test.each(PARTNER_LEVELS)('takes off $percentage% from $transactions transactions on', async (level) => {
    const { promocode } = await aPartner(shop, { transactions: level.transactions })
    const { status, body } = await check(await aCustomer(shop), promocode)
    expect([status, body]).toEqual([200, { promocode, percentage: level.percentage }])
  })

  test('is for customers, and wants a code', async () => {
    expectProblem(await shop.call('POST', '/api/v1/partnership/promocode', { body: { promocode: 'A' } }), 401)
    const reply = expectProblem(await check(await aCustomer(shop), ' '), 422)
    expect(messageFor(reply, 'promocode')).toBe(OUR_MESSAGES.promocodeRequired)
  })
})

describe('POST /api/v1/orders with a promocode', () => {
  test('answers price, discount and total, and keeps them', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const { status, body } = await order(customer, { promocode })
    expect([status, body]).toEqual([
      201,
      { orderId: expect.stringMatching(/./), price: 30, discount: 3, total: 27 },
    ])
    expect(await shown(customer, body.orderId)).toEqual({ price: 30, discount: 3, total: 27, promocode })
    const listed = (await shop.call('GET', '/api/v1/orders', { token: customer.token })).body
    expect(listed).toMatchObject([{ price: 30, discount: 3, total: 27, promocode }])
  })

  test('without one, the price is the total', async () => {
    const customer = await aCustomer(shop)
    const { body } = await order(customer)
    expect(body).toEqual({ orderId: expect.stringMatching(/./), price: 30, discount: 0, total: 30 })
    expect(await shown(customer, body.orderId)).toEqual({ price: 30, discount: 0, total: 30 })
  })

  test('takes the price or what is left of it as the total, and names it otherwise', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    for (const total of [30, 27]) expect((await order(customer, { promocode, total })).status).toBe(201)
    for (const total of [3, 26.99, 0, 25.5]) {
      const reply = expectProblem(await order(customer, { promocode, total }), 422)
      expect(messageFor(reply, 'total')).toBe('The total is €27.00')
    }
    expect(await ordersOf(customer)).toHaveLength(2)
  })

  test('takes off for connections that are extended, too', async () => {
    const { promocode } = await aPartner(shop)
    const { customer } = await aPurchase(shop)
    const { connections } = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
    const renewed = await anOrder(shop, customer, { promocode, renew: [connections[0]._id] })
    expect(renewed.total).toBe(27)
    await reached(shop, await startPayment(shop, customer, renewed), 'Success')
    const after = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
    expect(after.connections).toHaveLength(5)
  })
})

describe('POST /api/v1/orders/:id/promocode', () => {
  test('sets a code, another one, and takes it off again; answers the order', async () => {
    const [one, other] = [await aPartner(shop), await aPartner(shop, { transactions: 5 })]
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer)
    const set = await enter(customer, orderId, one.promocode)
    expect([set.status, set.body]).toEqual([
      200,
      expect.objectContaining({ orderId, price: 30, discount: 3, total: 27, promocode: one.promocode }),
    ])
    expect((await enter(customer, orderId, other.promocode)).body).toMatchObject({ discount: 6, total: 24 })
    for (const nothing of [null, '']) {
      const { body } = await enter(customer, orderId, nothing)
      expect([body.price, body.discount, body.total, body.promocode]).toEqual([30, 0, 30, undefined])
      await enter(customer, orderId, one.promocode)
    }
  })

  test('refused, it leaves the order as it was', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer, { promocode })
    expectProblem(await enter(customer, orderId, 'NOBODYS234'), 422)
    expect(await shown(customer, orderId)).toMatchObject({ total: 27, promocode })
  })

  test('finds no order of another customer, none that was never made, and none of a plan', async () => {
    const { promocode } = await aPartner(shop)
    const [customer, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const { orderId } = await anOrder(shop, customer)
    expectProblem(await enter(eve, orderId, promocode), 404)
    expectProblem(await enter(eve, orderId, null), 404)
    expectProblem(await enter(eve, randomUUID(), promocode), 404)
    expectProblem(await enter({ token: '' }, orderId, promocode), 401)
    await reached(shop, await startSale(shop, eve, planFor('1 week'), { pan: CARDS.declined }), 'Decline')
    expectProblem(await enter(eve, (await ordersOf(eve))[0]?.id ?? '', promocode), 404)
    expect(await shown(customer, orderId)).toMatchObject({ total: 30 })
  })

  test('changes no order that is paid, and none that has expired', async () => {
    const { promocode } = await aPartner(shop)
    const { customer, order: paid } = await aPurchase(shop)
    expect(expectProblem(await enter(customer, paid.orderId, promocode), 409).body.detail).toMatch(/paid/)
    const { orderId } = await anOrder(shop, customer)
    await shop.db
      .updateTable('orders')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', orderId)
      .execute()
    expect(expectProblem(await enter(customer, orderId, promocode), 409).body.detail).toMatch(/expired/)
  })

  test('changes nothing while a payment is under way, and does after a decline', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, made, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    for (const code of [promocode, null, 'NOBODYS234']) {
      const { body } = expectProblem(await enter(customer, made.orderId, code), 409)
      expect(body).toMatchObject({ code: 'payment-under-way', paymentId })
    }
    await answerChallenge(shop, paymentId, false)
    await reached(shop, paymentId, 'Decline')
    expect((await enter(customer, made.orderId, promocode)).body).toMatchObject({ total: 27 })
  })

  test('of a payment and a code that come at once, one meets the other', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    for (let times = 0; times < 8; times++) {
      const made = await anOrder(shop, customer)
      const [paid, set] = await Promise.all([
        pay(shop, customer, made),
        enter(customer, made.orderId, promocode),
      ])
      if (paid.status === 200) {
        expectProblem(set, 409)
        await reached(shop, paid.body.paymentId, 'Success')
        expect(await shown(customer, made.orderId)).toEqual({ price: 30, discount: 0, total: 30 })
      } else {
        expect(messageFor(expectProblem(paid, 422), 'total')).toBe('The total is €27.00')
        expect(set.status).toBe(200)
      }
    }
  })
})

const features = fc.record({
  feature1: fc.boolean(),
  feature2: fc.boolean(),
  feature3: fc.boolean(),
  feature4: fc.boolean(),
})

test('any choice, at any level: the total is the price less its share, half up, and is what the gateway is asked for', async () => {
  const customer = await aCustomer(shop)
  const choice = fc.record({
    days: fc.integer({ min: 1, max: 365 }),
    connections: fc.integer({ min: 3, max: 13 }),
    features,
    currency: fc.constantFrom('EUR' as const, 'GBP' as const),
    level: fc.integer({ min: 0, max: PARTNER_LEVELS.length - 1 }),
  })
  const holds = async ({
    level,
    ...chosen
  }: Pick<Choice, 'days' | 'connections' | 'features' | 'currency'> & { level: number }) => {
    const { transactions = 0, percentage = 0 } = PARTNER_LEVELS[level] ?? {}
    // One for each: payments that succeed raise the level.
    const { promocode } = await aPartner(shop, { transactions })
    const made = await anOrder(shop, customer, { ...chosen, promocode })
    const { price, discount, total } = await shown(customer, made.orderId)
    expect(price).toBe(anOrderBody(chosen).total)
    const [priceMinor = 0, discountMinor = 0, totalMinor = 0] = [price, discount, total].map(toMinor)
    expect(totalMinor).toBe(priceMinor - discountMinor)
    expect(totalMinor).toBeGreaterThanOrEqual(0)
    // Half up: the nearest whole unit, and of two that are as near the larger.
    expect(discountMinor * 100 - priceMinor * percentage).toBeGreaterThan(-50)
    expect(discountMinor * 100 - priceMinor * percentage).toBeLessThanOrEqual(50)
    const paymentId = await startPayment(shop, customer, { ...made, total: toMajor(totalMinor) })
    const sale = shop.gateCalls.find(({ body }) => body.general?.payment_id === paymentId)
    expect(sale?.body.payment).toMatchObject({ amount: totalMinor, currency: chosen.currency })
  }
  await fc.assert(fc.asyncProperty(choice, holds), { numRuns: fewOrAll(5, 25) })
})
