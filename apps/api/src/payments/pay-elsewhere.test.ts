import { randomUUID } from 'node:crypto'
import { aCustomer } from '@hedgerow/testing/customers'
import { anOrder, type TestOrder } from '@hedgerow/testing/orders'
import { aPurchase, CARDS, challengeOf, reached, startPayment } from '@hedgerow/testing/payments'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { shopOfFile } from '@hedgerow/testing/test-shop'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const shop = shopOfFile()

const payer = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', acceptTerms: true }

describe.each([
  ['ob', 'Paying by bank is not open yet. Nothing was charged. Pay by card.'],
  ['blik', 'Paying by Blik is not open yet. Nothing was charged. Pay by card.'],
])('POST /api/v1/orders/%s/:id', (path, closed) => {
  const pay = (token: string | undefined, order: TestOrder, more: object = {}) =>
    shop.call('POST', `/api/v1/orders/${path}/${order.orderId}`, {
      token,
      body: { total: order.total, currency: order.currency.code, ...payer, ...more },
    })

  const attemptsOf = ({ orderId }: TestOrder) =>
    shop.db.selectFrom('payments').select('id').where('order_id', '=', orderId).execute()

  test('says that it is not open, and records nothing', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const calls = shop.gateCalls.length
    for (const reply of await Promise.all([pay(customer.token, order), pay(customer.token, order)])) {
      expectProblem(reply, 503)
      expect(reply.body).toMatchObject({ code: 'method-not-open', detail: closed })
    }
    expect(await attemptsOf(order)).toEqual([])
    expect(shop.gateCalls).toHaveLength(calls)
    // The order is as payable as before.
    await reached(shop, await startPayment(shop, customer, order), 'Success')
  })

  test.each([
    ['firstName', undefined, 'Enter your first name'],
    ['firstName', ' ', 'Enter your first name'],
    ['firstName', 'a'.repeat(101), 'The name cannot be longer than 100 characters'],
    ['firstName', 'A\u202eda', 'The name contains characters that cannot be used'],
    ['lastName', undefined, 'Enter your last name'],
    ['lastName', '', 'Enter your last name'],
    ['lastName', 7, 'Enter your last name'],
    ['email', 'ada', 'Enter correct email address'],
    ['email', 'ada@', 'Enter correct email address'],
    ['email', null, 'Enter correct email address'],
    ['email', `${'a'.repeat(250)}@example.org`, 'The email cannot be longer than 254 characters'],
    ['acceptTerms', false, 'You have to accept terms and policy'],
    ['acceptTerms', undefined, 'You have to accept terms and policy'],
    ['total', undefined, 'The total is an amount with two decimals'],
    ['currency', 'PLN', 'Choose EUR or GBP'],
  ])('refuses %s %j: %s', async (field, value, message) => {
    const customer = await aCustomer(shop)
    const reply = expectProblem(
      await pay(customer.token, await anOrder(shop, customer), { [field]: value }),
      422,
    )
    expect(messageFor(reply, field)).toBe(message)
  })

  test.each([
    ['no email', { email: undefined }],
    ['an empty email', { email: '' }],
    ['names of one letter', { firstName: 'O', lastName: 'Ő' }],
    ['the currency as an object', { currency: { code: 'EUR', symbol: '€' } }],
  ])('takes %s', async (_, more) => {
    const customer = await aCustomer(shop)
    const reply = await pay(customer.token, await anOrder(shop, customer), more)
    expect(reply.body.code).toBe('method-not-open')
  })

  test.each([
    ['total', 29.99],
    ['currency', 'GBP'],
  ])('refuses %s %s where the order says €30.00', async (field, value) => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const reply = expectProblem(await pay(customer.token, order, { [field]: value }), 422)
    expect(messageFor(reply, field)).toBeDefined()
    expect(reply.body).not.toHaveProperty('code')
  })

  test('knows no order of somebody else, and none that is not there', async () => {
    const order = await anOrder(shop, await aCustomer(shop))
    const other = await aCustomer(shop)
    expectProblem(await pay(other.token, order), 404)
    expectProblem(await pay(other.token, { ...order, orderId: randomUUID() }), 404)
  })

  test('refuses what is paid, has expired, or is being paid', async () => {
    const { customer, order: paid } = await aPurchase(shop)
    expectProblem(await pay(customer.token, paid), 409)

    const expired = await anOrder(shop, customer)
    await sql`update orders set expires_at = now() - interval '1 second' where id = ${expired.orderId}`.execute(
      shop.db,
    )
    expectProblem(await pay(customer.token, expired), 409)

    const live = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, live, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect(expectProblem(await pay(customer.token, live), 409).body.paymentId).toBe(paymentId)
  })

  test('is for customers who are logged in', async () => {
    expectProblem(await pay(undefined, await anOrder(shop, await aCustomer(shop))), 401)
  })

  test('refuses a body larger than 8 KB', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    expectProblem(await pay(customer.token, order, { firstName: 'a'.repeat(9000) }), 413)
  })
})

test.each(['', 'a b', 'x'.repeat(65), 7])('refuses %j as a bank', async (bankId) => {
  const customer = await aCustomer(shop)
  const { orderId, total, currency } = await anOrder(shop, customer)
  const body = { total, currency, ...payer, bankId }
  const reply = await shop.call('POST', `/api/v1/orders/ob/${orderId}`, { token: customer.token, body })
  expect(messageFor(expectProblem(reply, 422), 'bankId')).toBe('Choose a bank from the list')
})
