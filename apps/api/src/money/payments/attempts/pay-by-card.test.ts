import { randomUUID } from 'node:crypto'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, listBooks } from '#testing/gateway.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import {
  CARDS,
  cardBody,
  challengeOf,
  connectionsOf,
  pay,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const paymentsOf = ({ orderId }: TestOrder) =>
  shop.db.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute()

const chargesOf = async (order: TestOrder) => {
  const ids = new Set((await paymentsOf(order)).map(({ id }) => id))
  return (await listBooks(shop)).filter((book) => ids.has(book.id))
}

const orderStatus = async (order: TestOrder, token: string) =>
  (await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token })).body.status

const thisYear = new Date().getUTCFullYear()

describe('POST /api/v1/orders/:id', () => {
  test('charges the card, completes the order and makes its connections', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { days: 7, connections: 5, currency: 'GBP' })
    const paymentId = await startPayment(shop, customer, order)
    expect(paymentId).toMatch(/^[0-9a-f]{32}$/)
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 720, currency: 'GBP', status: 'success' })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(5)
    expect(await orderStatus(order, customer.token)).toBe('Completed')
  })

  test("takes the typographic apostrophe of the holder's name as a plain one", async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { card_holder: 'Ada O’Brien' })
    expect(await paymentRow(shop, paymentId)).toMatchObject({ card_holder: "Ada O'Brien" })
  })

  test.each([
    ['pan', undefined, 'Enter the card number'],
    ['pan', '', 'Enter the card number'],
    ['pan', '400000000000007', 'The card number has 16 to 32 digits'],
    ['pan', '4'.repeat(33), 'The card number has 16 to 32 digits'],
    ['pan', '400000000000007x', 'The card number has 16 to 32 digits'],
    ['pan', 4000000000000077, 'Enter the card number'],
    ['card_holder', '', 'Enter the name on the card'],
    ['card_holder', undefined, 'Enter the name on the card'],
    [
      'card_holder',
      'Ada!',
      'Use Latin or Cyrillic letters, digits, spaces, hyphens, full stops and apostrophes only',
    ],
    ['month', '', 'Choose a month'],
    ['month', undefined, 'Choose a month'],
    ['month', '0', 'Choose a month'],
    ['month', 13, 'Choose a month'],
    ['month', 1.5, 'Choose a month'],
    ['year', '', 'Choose a year'],
    ['year', undefined, 'Choose a year'],
    ['year', thisYear - 1, 'This card has expired'],
    ['year', thisYear + 10, 'Choose a year'],
    ['cvv', '', 'Enter the security code'],
    ['cvv', undefined, 'Enter the security code'],
    ['cvv', '12', 'The security code has 3 or 4 digits'],
    ['cvv', '12345', 'The security code has 3 or 4 digits'],
    ['cvv', '12a', 'The security code has 3 or 4 digits'],
    ['acceptTerms', false, 'You have to accept terms and policy'],
    ['acceptTerms', undefined, 'You have to accept terms and policy'],
    ['total', undefined, 'The total is an amount with two decimals'],
    ['total', 21474836.48, 'The total is an amount with two decimals'],
    ['currency', undefined, 'Choose EUR or GBP'],
  ])('refuses %s %j: %s', async (field, value, message) => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const reply = expectProblem(await pay(shop, customer, order, { [field]: value }), 422)
    expect(messageFor(reply, field)).toBe(message)
    expect(await paymentsOf(order)).toEqual([])
  })

  test.each([
    ['a number in groups of four', { pan: '4000 0000 0000 0077' }],
    ['a security code of four digits', { cvv: '1234' }],
    ['a year of four digits', { year: thisYear + 9 }],
    ['the first year offered', { year: thisYear % 100, month: 12 }],
    ['month and year as numbers', { month: 1, year: thisYear + 1 }],
    ['a holder with hyphen, full stop and apostrophe', { card_holder: "Ada O'Neil-Smith Jr. 2" }],
    ['the currency as an object', { currency: { code: 'EUR', symbol: '€' } }],
    [
      'what 3-D Secure wants to know of the browser',
      { browser: { screen_res: '360x640', language: 'en-GB' } },
    ],
  ])('takes %s', async (_, card) => {
    const customer = await aCustomer(shop)
    await reached(shop, await startPayment(shop, customer, await anOrder(shop, customer), card), 'Success')
  })

  test('takes a card number of 32 digits as far as the gateway, which refuses it', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: '4'.repeat(32) })
    await reached(shop, paymentId, 'Error')
    expect(await bookOf(shop, paymentId)).toBeUndefined()
  })

  test.each([
    ['total', 29.99],
    ['total', 0.01],
    ['total', 30.01],
    ['currency', 'GBP'],
  ])('refuses %s %s where the order says €30.00, and charges nothing', async (field, value) => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const reply = expectProblem(await pay(shop, customer, order, { [field]: value }), 422)
    expect(messageFor(reply, field)).toBeDefined()
    expect(await paymentsOf(order)).toEqual([])
  })

  test('hides an order from every other customer', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const order = await anOrder(shop, ada)
    expectProblem(await pay(shop, eve, order), 404)
    expectProblem(await pay(shop, eve, { ...order, orderId: randomUUID() }), 404)
    expectProblem(await pay(shop, eve, { ...order, orderId: 'nonsense' }), 404)
    expect(await paymentsOf(order)).toEqual([])
  })

  test('is for customers', async () => {
    const order = await anOrder(shop, await aCustomer(shop))
    expectProblem(await shop.call('POST', `/api/v1/orders/${order.orderId}`, { body: cardBody(order) }), 401)
  })

  test('refuses an order that is paid', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order)
    await reached(shop, paymentId, 'Success')
    const reply = expectProblem(await pay(shop, customer, order), 409)
    expect(reply.body.detail).toMatch(/already paid/)
    expect(await chargesOf(order)).toHaveLength(1)
  })

  test('refuses an order that has expired', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    await shop.db
      .updateTable('orders')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', order.orderId)
      .execute()
    expect(expectProblem(await pay(shop, customer, order), 409).body.detail).toMatch(/expired/)
    expect(await paymentsOf(order)).toEqual([])
  })

  test('gives an order 24 hours', async () => {
    const order = await anOrder(shop, await aCustomer(shop))
    const row = await shop.db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', order.orderId)
      .executeTakeFirstOrThrow()
    expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(24 * 3_600_000)
  })

  test('refuses a second payment while one is under way, and says which', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    const reply = expectProblem(await pay(shop, customer, order), 409)
    expect(reply.body.paymentId).toBe(paymentId)
    expect(await chargesOf(order)).toHaveLength(1)
  })

  test('charges once, however often the button is pressed at once', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(shop, customer, order)))
    const taken = replies.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    const paymentId = taken[0]?.body.paymentId
    for (const reply of replies.filter((each) => each !== taken[0])) {
      expectProblem(reply, 409)
      if (reply.body.paymentId) expect(reply.body.paymentId).toBe(paymentId)
    }
    await reached(shop, paymentId, 'Success')
    expect(await chargesOf(order)).toMatchObject([{ id: paymentId, amount: 3000, status: 'success' }])
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('lets a declined order be paid with another card, and delivers once', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const declined = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, declined, 'Decline')
    expect(await orderStatus(order, customer.token)).toBe('Rejected')
    const paid = await startPayment(shop, customer, order)
    await reached(shop, paid, 'Success')
    expect(await orderStatus(order, customer.token)).toBe('Completed')
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    expect(body.connections).toHaveLength(3)
    expect(await connectionsOf(shop, declined)).toEqual([])
  })

  test('keeps of the card what may be kept', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'Success')
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      pan_masked: '400000******0077',
      card_holder: 'ADA LOVELACE',
      auth_code: expect.stringMatching(/^\d{6}$/),
      refund_due: false,
    })
  })

  test('tells the gateway whom 3-D Secure wants to know, and where to call back', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const headers = { 'user-agent': 'Test browser 1', 'accept-language': 'en-GB', accept: 'text/html' }
    const body = cardBody(order, {
      browser: { screen_res: '360x640', color_depth: 24, timezone_offset: '-60' },
    })
    const path = `/api/v1/orders/${order.orderId}`
    const reply = await shop.call('POST', path, { token: customer.token, headers, body })
    const sale = shop.gateCalls.find((call) => call.body.general?.payment_id === reply.body.paymentId)
    expect(sale).toMatchObject({
      path: '/v2/payment/card/sale',
      body: {
        general: { merchant_callback_url: `${shop.url}/api/v1/payment/callback` },
        customer: {
          id: customer.id,
          email: customer.email,
          ip_address: '127.0.0.1',
          browser: 'Test browser 1',
          accept_header: 'text/html',
          accept_language_header: 'en-GB',
          screen_res: '360x640',
          color_depth: 24,
          timezone_offset: '-60',
        },
        payment: { amount: 3000, currency: 'EUR', description: 'PURCHASE: Timed VPN connections' },
        card: { year: expect.any(Number), month: 12 },
      },
    })
    expect(sale?.body.card.year).toBeGreaterThanOrEqual(thisYear)
  })

  test('refuses a body larger than 8 KB', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    expectProblem(await pay(shop, customer, order, { card_holder: 'a'.repeat(9000) }), 413)
  })

  test('lets a customer of many orders pay them all at once', async () => {
    const customer = await aCustomer(shop)
    const orders = await Promise.all(Array.from({ length: 6 }, () => anOrder(shop, customer, { days: 1 })))
    const ids = await Promise.all(orders.map((order) => startPayment(shop, customer, order)))
    for (const id of ids) await reached(shop, id, 'Success')
    const { rows } = await sql<{ name: string }>`
      select name from connections where customer_id = ${customer.id}`.execute(shop.db)
    const names = rows.map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(Array.from({ length: 18 }, (_, i) => `Hedgerow ${i + 1}`)))
    expect(names).toHaveLength(18)
  })
})

test('judges month and year whatever else is wrong with the form', async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const reply = expectProblem(
    await pay(shop, customer, order, { pan: '', month: 1, year: thisYear - 1, acceptTerms: false }),
    422,
  )
  expect(messageFor(reply, 'year')).toBe('This card has expired')
  expect(messageFor(reply, 'pan')).toBe('Enter the card number')
})
