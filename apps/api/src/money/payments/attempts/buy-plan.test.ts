import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import type { Plan } from '@hedgerow/domain/plans'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { bookOf, listBooks, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import {
  aCard,
  answerChallenge,
  CARDS,
  challengeOf,
  connectionsOf,
  pay,
  paymentRow,
  reached,
} from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const MONTH = planFor('31 days')
const NEVER = planFor('Ethernity')

const paymentsOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('payments').selectAll().where('customer_id', '=', id).execute()
const ordersOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('orders').selectAll().where('customer_id', '=', id).execute()
const chargesOf = async (customer: TestCustomer) => {
  const ids = new Set((await paymentsOf(customer)).map(({ id }) => id))
  return (await listBooks(shop)).filter(({ id, status }) => ids.has(id) && status === 'success')
}
const profileOf = async ({ token }: TestCustomer) =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).body

/** Buys to the end; returns the payment. */
const buy = async (customer: TestCustomer, plan: Pick<Plan, 'id'>): Promise<string> => {
  const paymentId = await startSale(shop, customer, plan)
  await reached(shop, paymentId, 'Success')
  return paymentId
}

/** As if a payment had succeeded a while ago. */
const letTimePass = (paymentId: string) =>
  sql`update payments set ended_at = ended_at - interval '1 minute' where id = ${paymentId}`.execute(shop.db)

describe('POST /api/v1/payment/gate/sale', () => {
  test.each([
    ['1 week', 7],
    ['31 days', 31],
    ['1 year', 365],
  ])('%s makes the connections of the plan for %i days, at its price in pounds', async (period, days) => {
    const customer = await aCustomer(shop)
    const plan = planFor(period)
    const reply = await sale(shop, customer, plan)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ _id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const paymentId = reply.body._id
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: plan.priceMinor, currency: 'GBP' })
    const rows = await connectionsOf(shop, paymentId)
    const { ended_at } = await paymentRow(shop, paymentId)
    expect(rows).toHaveLength(plan.connections)
    for (const row of rows) expect(row.expires_at?.getTime()).toBe((ended_at?.getTime() ?? 0) + days * DAY_MS)
  })

  test('Ethernity makes connections that never expire, and that can be mailed', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await buy(customer, NEVER)
    expect((await connectionsOf(shop, paymentId)).map(({ expires_at }) => expires_at)).toEqual(
      Array.from({ length: NEVER.connections }, () => null),
    )
    const { connections } = await profileOf(customer)
    expect(connections).toHaveLength(NEVER.connections)
    expect(connections[0]).toMatchObject({ expirationDate: null, clientPrivateKey: expect.any(String) })
    const mail = `/api/v1/user/mail/connection/${connections[0]._id}`
    expect((await shop.call('POST', mail, { token: customer.token })).status).toBe(200)
    await queueIsEmpty(shop)
  })

  test('asks for 3-D Secure as for any order', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, MONTH, { pan: CARDS.challenged })
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(MONTH.connections)
  })

  test('keeps the plan with the order, as it was', async () => {
    const customer = await aCustomer(shop)
    await buy(customer, MONTH)
    expect(await ordersOf(customer)).toMatchObject([
      {
        plan_id: MONTH.id,
        plan_name: MONTH.name,
        plan_period: '31 days',
        days: 31,
        connections: MONTH.connections,
        total_minor: MONTH.priceMinor,
        currency: 'GBP',
        status: 'Completed',
      },
    ])
  })

  test.each([
    ['id', undefined],
    ['id', 'nonsense'],
    ['pan', '400000000000007'],
    ['card_holder', 'Ada!'],
    ['month', 13],
    ['year', new Date().getUTCFullYear() - 1],
    ['cvv', '12'],
    ['acceptTerms', false],
  ])('refuses %s %j, and keeps nothing', async (field, value) => {
    const customer = await aCustomer(shop)
    const body = { id: MONTH.id, ...aCard(), [field]: value }
    const reply = await shop.call('POST', '/api/v1/payment/gate/sale', { token: customer.token, body })
    expect(messageFor(expectProblem(reply, 422), field)).toBeDefined()
    expect(await ordersOf(customer)).toEqual([])
  })

  test('knows no other plan', async () => {
    const customer = await aCustomer(shop)
    expectProblem(await sale(shop, customer, { id: randomUUID() }), 404)
    expect(await ordersOf(customer)).toEqual([])
  })

  test('does not sell a plan that is retired', async () => {
    const customer = await aCustomer(shop)
    const id = randomUUID()
    await sql`
      insert into plans (id, layer_id, name, period, connections, price_minor, position, retired_at)
      values (${id}, ${MONTH.layerId}, 'Old', '31 days', 3, 100, 9, now())`.execute(shop.db)
    expect(expectProblem(await sale(shop, customer, { id }), 409).body.detail).toMatch(/no longer sold/)
    expect(await ordersOf(customer)).toEqual([])
  })

  test('is for customers', async () => {
    const body = { id: MONTH.id, ...aCard() }
    expectProblem(await shop.call('POST', '/api/v1/payment/gate/sale', { body }), 401)
  })

  test('refuses a body larger than 8 KB', async () => {
    const customer = await aCustomer(shop)
    expectProblem(await sale(shop, customer, MONTH, { card_holder: 'a'.repeat(9000) }), 413)
  })

  test('charges once, however often the button is pressed at once', async () => {
    const customer = await aCustomer(shop)
    const replies = await Promise.all(Array.from({ length: 30 }, () => sale(shop, customer, MONTH)))
    const taken = replies.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    const paymentId = taken[0]?.body._id
    for (const reply of replies.filter((each) => each !== taken[0])) {
      expectProblem(reply, 409)
      if (reply.body.paymentId) expect(reply.body.paymentId).toBe(paymentId)
    }
    await reached(shop, paymentId, 'Success')
    expect(await chargesOf(customer)).toMatchObject([{ id: paymentId, amount: MONTH.priceMinor }])
    expect((await profileOf(customer)).connections).toHaveLength(MONTH.connections)
  })

  test('takes a press that comes after the success as the same one, and says which payment it was', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await buy(customer, MONTH)
    expect(expectProblem(await sale(shop, customer, MONTH), 409).body.paymentId).toBe(paymentId)
    expect(await chargesOf(customer)).toHaveLength(1)
  })

  test('sells the same plan again later, and another one at once', async () => {
    const customer = await aCustomer(shop)
    const first = await buy(customer, MONTH)
    await buy(customer, NEVER)
    await letTimePass(first)
    await buy(customer, MONTH)
    expect((await profileOf(customer)).connections).toHaveLength(2 * MONTH.connections + NEVER.connections)
  })

  test('a second press, tab or device meets the payment that is under way', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, MONTH, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect(expectProblem(await sale(shop, customer, MONTH), 409).body.paymentId).toBe(paymentId)
    expect(await ordersOf(customer)).toHaveLength(1)
  })

  test('after a decline another card pays the same order, once', async () => {
    const customer = await aCustomer(shop)
    const declined = await startSale(shop, customer, MONTH, { pan: CARDS.declined })
    await reached(shop, declined, 'Decline')
    const paid = await buy(customer, MONTH)
    expect(await ordersOf(customer)).toMatchObject([{ status: 'Completed' }])
    expect(await connectionsOf(shop, declined)).toEqual([])
    expect(await connectionsOf(shop, paid)).toHaveLength(MONTH.connections)
  })

  test('what was left unpaid for days can be paid all the same', async () => {
    const customer = await aCustomer(shop)
    await reached(shop, await startSale(shop, customer, MONTH, { pan: CARDS.declined }), 'Decline')
    await sql`update orders set expires_at = now() - interval '3 days'
      where customer_id = ${customer.id}`.execute(shop.db)
    await buy(customer, MONTH)
  })

  test('two customers buy the same plan at once, each for themselves', async () => {
    const customers = await Promise.all([aCustomer(shop), aCustomer(shop)])
    await Promise.all(customers.map((customer) => buy(customer, MONTH)))
    const profiles = await Promise.all(customers.map(profileOf))
    for (const { connections } of profiles) expect(connections).toHaveLength(MONTH.connections)
    const ids = profiles.flatMap(({ connections }) => connections.map(({ _id }: { _id: string }) => _id))
    expect(new Set(ids).size).toBe(2 * MONTH.connections)
  })

  test('a gateway that is down charges nothing, and the plan can be bought once it is back', async () => {
    const customer = await aCustomer(shop)
    await switchFaults(shop, { failSales: '500' })
    const lost = await startSale(shop, customer, MONTH).finally(() =>
      switchFaults(shop, { failSales: 'none' }),
    )
    expect(expectProblem(await sale(shop, customer, MONTH), 409).body.paymentId).toBe(lost)
    // What the gateway never saw ends after a minute, which a test does not wait for.
    await sql`update payments set created_at = now() - interval '2 minutes', next_check_at = now()
      where id = ${lost}`.execute(shop.db)
    await hurry(shop, 'check-payments')
    await reached(shop, lost, 'Error')
    const paid = await buy(customer, MONTH)
    expect(await chargesOf(customer)).toMatchObject([{ id: paid }])
    expect(await ordersOf(customer)).toHaveLength(1)
  })
})

describe('the order of a plan', () => {
  test('is not among the orders of the calculator', async () => {
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer)
    await buy(customer, NEVER)
    const { body } = await shop.call('GET', '/api/v1/orders', { token: customer.token })
    expect(body.map((order: { orderId: string }) => order.orderId)).toEqual([orderId])
    const [plan] = (await ordersOf(customer)).filter(({ plan_id }) => plan_id)
    expectProblem(await shop.call('GET', `/api/v1/orders/${plan?.id}`, { token: customer.token }), 404)
  })

  test('leaves orders of the calculator as they are: the same choice can be ordered and paid many times', async () => {
    const customer = await aCustomer(shop)
    for (const order of [await anOrder(shop, customer), await anOrder(shop, customer)])
      expect((await pay(shop, customer, order)).status).toBe(200)
  })
})
