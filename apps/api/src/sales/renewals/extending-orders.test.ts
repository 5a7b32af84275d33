import { randomUUID } from 'node:crypto'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrderBody } from '#testing/orders.ts'
import { connectionsOf, reached } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { anOwner, moveEnd, refundWhole } from '#testing/renewals.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const order = (token: string | undefined, body: unknown) =>
  shop.call('POST', '/api/v1/orders', { token, body })

describe('POST /api/v1/orders that extends', () => {
  test('is taken at the usual price, and says what it extends', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const body = anOrderBody({ days: 30, connections: 4, renew: [ids[1] ?? '', ids[0] ?? ''] })
    expect(body.total).toBe(30.1)
    const reply = await order(customer.token, body)
    expect(reply.status).toBe(201)
    const shown = await shop.call('GET', `/api/v1/orders/${reply.body.orderId}`, { token: customer.token })
    expect(shown.body.renew).toEqual([
      { _id: ids[1], name: rows[1]?.name },
      { _id: ids[0], name: rows[0]?.name },
    ])
    const { body: listed } = await shop.call('GET', '/api/v1/orders', { token: customer.token })
    expect(listed[0].renew).toEqual(shown.body.renew)
    expect(listed[1].renew).toEqual([])
  })

  test('refuses another’s connection as one that there never was', async () => {
    const [{ ids }, eve] = await Promise.all([anOwner(shop), aCustomer(shop)])
    const theirs = expectProblem(await order(eve.token, anOrderBody({ renew: [ids[0] ?? ''] })), 422)
    const unknown = expectProblem(await order(eve.token, anOrderBody({ renew: [randomUUID()] })), 422)
    expect(messageFor(theirs, 'renew')).toBe(messageFor(unknown, 'renew'))
    expect(messageFor(theirs, 'renew')).toBeDefined()
    expect((await shop.call('GET', '/api/v1/orders', { token: eve.token })).body).toEqual([])
  })

  test('refuses one that never ends', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, await planFor('Ethernity'))
    await reached(shop, paymentId, 'Success')
    const [forever] = await connectionsOf(shop, paymentId)
    const refused = expectProblem(
      await order(customer.token, anOrderBody({ renew: [forever?.id ?? ''] })),
      422,
    )
    expect(messageFor(refused, 'renew')).toBeDefined()
  })

  test('refuses one whose money was given back', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    await refundWhole(shop, paymentId)
    const refused = expectProblem(await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] })), 422)
    expect(messageFor(refused, 'renew')).toBeDefined()
  })

  test('takes one that has ended', async () => {
    const { customer, ids } = await anOwner(shop)
    await moveEnd(shop, ids[0] ?? '', -20)
    expect((await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] }))).status).toBe(201)
  })

  test('wants every option of every chosen connection, and says whose', async () => {
    const { customer, ids } = await anOwner(shop, { features: { feature1: true, feature3: true } })
    const few = anOrderBody({ features: { feature3: true, feature4: true }, renew: [ids[2] ?? ''] })
    const refused = expectProblem(await order(customer.token, few), 422)
    expect(messageFor(refused, 'features')).toContain('Hedgerow 3')
    const enough = anOrderBody({ features: { feature1: true, feature3: true, feature4: true }, renew: ids })
    expect((await order(customer.token, enough)).status).toBe(201)
  })

  const aDozen = Array.from({ length: 14 }, () => randomUUID())
  test.each<[string, number, unknown]>([
    ['14 ids', 13, aDozen],
    ['more than are bought', 3, aDozen.slice(0, 4)],
    ['the same twice', 3, [aDozen[0], aDozen[0]]],
    ['the same twice, written otherwise', 3, [aDozen[0], aDozen[0]?.toUpperCase()]],
    ['no id', 3, ['one']],
    ['a number', 3, [1]],
    ['null', 3, null],
    ['a text', 3, aDozen[0]],
    ['200 ids', 13, Array.from({ length: 200 }, () => randomUUID())],
  ])('refuses %s', async (_, connections, chosen) => {
    const { token } = await aCustomer(shop)
    const refused = expectProblem(await order(token, { ...anOrderBody({ connections }), renew: chosen }), 422)
    expect(refused.body.errors.map(({ path }: { path: string }) => path.split('.')[0])).toContain('renew')
  })

  test('refuses what is too large, and asks who calls first', async () => {
    const { token } = await aCustomer(shop)
    const huge = { ...anOrderBody(), renew: Array.from({ length: 40_000 }, () => randomUUID()) }
    expectProblem(await order(token, huge), 413)
    expectProblem(await order(undefined, anOrderBody({ renew: [randomUUID()] })), 401)
  })
})
