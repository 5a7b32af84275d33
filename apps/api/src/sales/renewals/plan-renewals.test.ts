import { randomUUID } from 'node:crypto'
import { toMajor } from '@hedgerow/domain/money'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import { answerChallenge, CARDS, connectionsOf, reached } from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { anOwner, connectionRow, daysBetween, moveEnd, refundWhole, renew } from '#testing/renewals.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const MONTH = planFor('31 days')

const profileOf = async ({ token }: TestCustomer) =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).body
const ordersOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('orders').selectAll().where('customer_id', '=', id).execute()

/** Not the press that bought the plan just now. */
const another = () => ({ purchaseId: randomUUID() })

/** A customer with the connections of a plan. */
const aPlanOwner = async (period = '31 days') => {
  const customer = await aCustomer(shop)
  const paymentId = await startSale(shop, customer, planFor(period))
  await reached(shop, paymentId, 'Success')
  const rows = await connectionsOf(shop, paymentId)
  return { customer, rows, ids: rows.map(({ id }) => id) }
}

describe('POST /api/v1/payment/gate/sale that extends', () => {
  test('adds the period of the plan, keeps what the connections are, and makes the rest new', async () => {
    const { customer, ids, rows } = await aPlanOwner()
    const chosen = [ids[2] ?? '', ids[0] ?? '']
    const before = (await profileOf(customer)).connections
    const paymentId = await startSale(shop, customer, MONTH, { ...another(), renew: chosen })
    await reached(shop, paymentId, 'Success')
    for (const [position, row] of rows.entries()) {
      const { expires_at } = await connectionRow(shop, row.id)
      expect(daysBetween(row.expires_at, expires_at)).toBe(position === 1 ? 0 : 31)
    }
    expect(await connectionsOf(shop, paymentId)).toHaveLength(MONTH.connections - 2)
    const { connections: after } = await profileOf(customer)
    for (const { _id, clientPrivateKey, name } of before)
      expect(after).toContainEqual(expect.objectContaining({ _id, clientPrivateKey, name }))
  })

  test('extends once, however often the same press comes', async () => {
    const { customer, ids, rows } = await aPlanOwner()
    const press = { ...another(), renew: ids }
    const replies = await Promise.all([1, 2, 3].map(() => sale(shop, customer, MONTH, press)))
    const payments = new Set(replies.map(({ body }) => body._id))
    expect(payments.size).toBe(1)
    const [paymentId = ''] = payments
    await reached(shop, paymentId, 'Success')
    expect((await sale(shop, customer, MONTH, press)).body._id).toBe(paymentId)
    const { expires_at } = await connectionRow(shop, ids[0] ?? '')
    expect(daysBetween(rows[0]?.expires_at, expires_at)).toBe(31)
    expect((await profileOf(customer)).connections).toHaveLength(MONTH.connections)
  })

  test('gives its days back when it is cancelled, and only those', async () => {
    const { customer, ids, rows } = await aPlanOwner()
    const chosen = ids.slice(0, 2)
    const paymentId = await startSale(shop, customer, MONTH, { ...another(), renew: chosen })
    await reached(shop, paymentId, 'Success')
    const [made] = await connectionsOf(shop, paymentId)
    const url = `/api/v1/payment/${paymentId}/cancellation`
    const { body: shown } = await shop.call('GET', url, { token: customer.token })
    // Of the new one, moments were used; of the others, nothing yet.
    expect(shown.refund).toBe(toMajor(MONTH.priceMinor))
    const body = { refund: shown.refund, password: PASSWORD }
    expect((await shop.call('POST', url, { token: customer.token, body })).status).toBe(200)
    for (const [position, row] of rows.entries()) {
      const { expires_at } = await connectionRow(shop, ids[position] ?? '')
      expect(expires_at).toEqual(row.expires_at)
    }
    expect((await connectionRow(shop, made?.id ?? '')).expires_at?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('makes a new one for each that is gone by the time it is paid', async () => {
    const { customer, ids, rows } = await aPlanOwner()
    const press = { ...another(), renew: ids, pan: CARDS.challenged }
    const paymentId = await startSale(shop, customer, MONTH, press)
    await reached(shop, paymentId, 'awaiting 3ds result')
    await shop.db
      .deleteFrom('connections')
      .where('id', '=', ids[0] ?? '')
      .execute()
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(1)
    for (const position of [1, 2]) {
      const { expires_at } = await connectionRow(shop, ids[position] ?? '')
      expect(daysBetween(rows[position]?.expires_at, expires_at)).toBe(31)
    }
  })

  test('adds the days of both where two plans extend the same one at once', async () => {
    const { customer, ids, rows } = await aPlanOwner()
    const renewed = { renew: [ids[0]] }
    const payments = await Promise.all([
      startSale(shop, customer, MONTH, { ...another(), ...renewed }),
      startSale(shop, customer, planFor('1 week'), { ...another(), ...renewed }),
    ])
    await Promise.all(payments.map((id) => reached(shop, id, 'Success')))
    const { expires_at } = await connectionRow(shop, ids[0] ?? '')
    expect(daysBetween(rows[0]?.expires_at, expires_at)).toBe(38)
  })

  test('takes one that has ended, from now on', async () => {
    const { customer, ids } = await aPlanOwner('1 week')
    await moveEnd(shop, ids[0] ?? '', -20)
    const started = Date.now()
    const paymentId = await startSale(shop, customer, MONTH, { renew: [ids[0]] })
    await reached(shop, paymentId, 'Success')
    const { expires_at } = await connectionRow(shop, ids[0] ?? '')
    expect(Math.round(daysBetween(new Date(started), expires_at))).toBe(31)
  })

  test('buys what the last press said, where a declined one said otherwise', async () => {
    const { customer, ids, rows } = await aPlanOwner()
    const declined = await startSale(shop, customer, MONTH, {
      ...another(),
      renew: [ids[0]],
      pan: CARDS.declined,
    })
    await reached(shop, declined, 'Decline')
    const { body } = await shop.call('GET', `/api/v1/payment/status/${declined}`)
    expect(JSON.parse(body.metadata).again).toBe(`/payment/checkout/${MONTH.id}?renew=${ids[0]}`)
    const paymentId = await startSale(shop, customer, MONTH, { ...another(), renew: [ids[1]] })
    await reached(shop, paymentId, 'Success')
    const ends = await Promise.all(ids.map((id) => connectionRow(shop, id)))
    const added = ends.map(({ expires_at }, position) => daysBetween(rows[position]?.expires_at, expires_at))
    expect(added).toEqual([0, 31, 0])
    expect(await ordersOf(customer)).toHaveLength(2)
  })

  test('refuses another’s connection as one that there never was, and keeps nothing', async () => {
    const [{ ids }, eve] = await Promise.all([aPlanOwner(), aCustomer(shop)])
    const theirs = expectProblem(await sale(shop, eve, MONTH, { renew: [ids[0]] }), 422)
    const unknown = expectProblem(await sale(shop, eve, MONTH, { renew: [randomUUID()] }), 422)
    expect(messageFor(theirs, 'renew')).toBe(messageFor(unknown, 'renew'))
    expect(messageFor(theirs, 'renew')).toBeDefined()
    expect(await ordersOf(eve)).toEqual([])
  })

  test('refuses one that ended more than thirty days ago', async () => {
    const { customer, ids } = await aPlanOwner()
    await moveEnd(shop, ids[0] ?? '', -31)
    await shop.db
      .deleteFrom('connections')
      .where('id', '=', ids[0] ?? '')
      .execute()
    const refused = expectProblem(await sale(shop, customer, MONTH, { ...another(), renew: [ids[0]] }), 422)
    expect(messageFor(refused, 'renew')).toBeDefined()
  })

  test('refuses one that has options, which no plan has', async () => {
    const { customer, ids } = await anOwner(shop, { features: { feature2: true } })
    const refused = expectProblem(await sale(shop, customer, MONTH, { renew: [ids[0]] }), 422)
    expect(messageFor(refused, 'renew')).toContain('Hedgerow 1')
  })

  test('refuses a plan without an end', async () => {
    const { customer, ids } = await aPlanOwner()
    const refused = expectProblem(await sale(shop, customer, planFor('Ethernity'), { renew: [ids[0]] }), 422)
    expect(messageFor(refused, 'renew')).toBeDefined()
  })

  test.each<[string, unknown]>([
    ['more than the plan has', Array.from({ length: 4 }, () => randomUUID())],
    ['fourteen', Array.from({ length: 14 }, () => randomUUID())],
    ['the same twice', ['6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e11', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e11']],
    ['no id', ['one']],
    ['a text', 'one'],
    ['null', null],
  ])('refuses %s', async (_, chosen) => {
    const customer = await aCustomer(shop)
    const refused = expectProblem(await sale(shop, customer, MONTH, { renew: chosen }), 422)
    expect(refused.body.errors.map(({ path }: { path: string }) => path.split('.')[0])).toContain('renew')
    expect(await ordersOf(customer)).toEqual([])
  })
})

describe('a connection says how it was bought last', () => {
  test('by the calculator, and then by a plan as long as that is sold', async () => {
    const { customer, ids } = await anOwner(shop)
    const allLastBought = async () =>
      (await profileOf(customer)).connections.map((one: Bought) => one.lastBought)
    type Bought = { lastBought?: unknown }
    expect(await allLastBought()).toEqual(ids.map(() => ({ days: 30, currency: 'EUR' })))
    const paymentId = await startSale(shop, customer, MONTH, { renew: [ids[0]] })
    await reached(shop, paymentId, 'Success')
    const { connections } = await profileOf(customer)
    const lastBoughtOf = (id: string | undefined) =>
      connections.find((one: { _id: string }) => one._id === id).lastBought
    expect(lastBoughtOf(ids[0])).toEqual({
      days: 31,
      currency: 'GBP',
      plan: { _id: MONTH.id, connections: 3 },
    })
    expect(lastBoughtOf(ids[1])).toEqual({ days: 30, currency: 'EUR' })
    await renew(shop, customer, [ids[0] ?? ''])
    const [first] = (await profileOf(customer)).connections.filter(
      (one: { _id: string }) => one._id === ids[0],
    )
    expect(first.lastBought).toEqual({ days: 10, currency: 'EUR' })
  })

  test('and not by what went back whole', async () => {
    const { customer, ids } = await aPlanOwner()
    const { paymentId } = await renew(shop, customer, ids)
    await refundWhole(shop, paymentId)
    for (const { lastBought } of (await profileOf(customer)).connections)
      expect(lastBought).toMatchObject({ days: 31, plan: { _id: MONTH.id } })
  })

  test('and nothing where it never ends', async () => {
    const { customer } = await aPlanOwner('Ethernity')
    for (const one of (await profileOf(customer)).connections) expect(one).not.toHaveProperty('lastBought')
  })
})
