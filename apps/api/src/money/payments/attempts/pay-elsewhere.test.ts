import { randomUUID } from 'node:crypto'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { BANKS, payByBank, payByBlik } from '#testing/payment-methods.ts'
import { aPurchase, CARDS, challengeOf, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe.each([
  ['ob', payByBank, { bankId: BANKS.inGermany }],
  ['blik', payByBlik, {}],
])('POST /api/v1/orders/%s/:id', (_, way, given) => {
  const pay = (
    who: { token: string | undefined },
    order: Parameters<typeof way>[2],
    more: Record<string, unknown> = {},
  ) => way(shop, who, order, { ...given, ...more })

  test.each([
    ['firstName', undefined, 'Enter your first name'],
    ['firstName', ' ', 'Enter your first name'],
    ['firstName', 'a'.repeat(101), 'The name cannot be longer than 100 characters'],
    ['firstName', 'A\u0007da', 'The name contains characters that cannot be used'],
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
    const reply = expectProblem(await pay(customer, await anOrder(shop, customer), { [field]: value }), 422)
    expect(messageFor(reply, field)).toBe(message)
  })

  test.each([
    ['no email', { email: undefined }],
    ['an empty email', { email: '' }],
    ['names of one letter', { firstName: 'O', lastName: 'Ő' }],
    ['the currency as an object', { currency: { code: 'EUR', symbol: '€' } }],
  ])('takes %s', async (_, more) => {
    const customer = await aCustomer(shop)
    expect((await pay(customer, await anOrder(shop, customer), more)).body.paymentId).toMatch(
      /^[0-9a-f]{32}$/,
    )
  })

  test.each([
    ['total', 29.99],
    ['currency', 'GBP'],
  ])('refuses %s %s where the order says €30.00', async (field, value) => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const bank = field === 'currency' ? { bankId: undefined } : {}
    const reply = expectProblem(await pay(customer, order, { [field]: value, ...bank }), 422)
    expect(messageFor(reply, field)).toBeDefined()
  })

  test('knows no order of another customer, and none that is not there', async () => {
    const order = await anOrder(shop, await aCustomer(shop))
    const other = await aCustomer(shop)
    expectProblem(await pay(other, order), 404)
    expectProblem(await pay(other, { ...order, orderId: randomUUID() }), 404)
  })

  test('refuses what is paid, has expired, or is being paid', async () => {
    const { customer, order: paid } = await aPurchase(shop)
    expectProblem(await pay(customer, paid), 409)

    const expired = await anOrder(shop, customer)
    await sql`update orders set expires_at = now() - interval '1 second' where id = ${expired.orderId}`.execute(
      shop.db,
    )
    expectProblem(await pay(customer, expired), 409)

    const live = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, live, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect(expectProblem(await pay(customer, live), 409).body.paymentId).toBe(paymentId)
  })

  test('pressed twice at once starts one attempt, and names it to the second press', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const replies = await Promise.all([pay(customer, order), pay(customer, order)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(new Set(replies.map(({ body }) => body.paymentId)).size).toBe(1)
  })

  test('is for customers who are logged in', async () => {
    expectProblem(await pay({ token: undefined }, await anOrder(shop, await aCustomer(shop))), 401)
  })

  test('refuses a body larger than 8 KB', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    expectProblem(await pay(customer, order, { firstName: 'a'.repeat(9000) }), 413)
  })
})
