import { randomUUID } from 'node:crypto'
import { PERIODS } from '@hedgerow/domain/plans'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { momentsOf } from '#testing/changes-to-come.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'
import { paymentRow } from '#testing/payments.ts'
import { startSale } from '#testing/plans.ts'

const { shop, ask } = await consoleOfFile()

const manager = () => anOperator(shop.db, 'manager')
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

const aLayer = async (operator: TestOperator, name = `Group ${randomUUID()}`.slice(0, 30)) =>
  (await ask(operator, 'POST', '/api/v1/layers', { body: { name } })).body.id as string

const add = (operator: TestOperator, layerId: string, more: object = {}) =>
  ask(operator, 'POST', '/api/v1/plans', {
    body: { layerId, name: 'Month', period: 'P30D', connections: 3, priceMinor: 1_000, ...more },
  })

const aPlan = async (operator: TestOperator, more: object = {}) => {
  const layerId = await aLayer(operator)
  const { body, text } = await add(operator, layerId, { period: shopPeriod, ...more })
  if (!body.isDone) throw new Error(text)
  return { layerId, planId: body.id as string }
}

const change = (operator: TestOperator, planId: string, body: object) =>
  ask(operator, 'POST', `/api/v1/plans/${planId}/change`, { body })

const retire = (operator: TestOperator, planId: string, body: object = {}) =>
  ask(operator, 'POST', `/api/v1/plans/${planId}/retirement`, { body })

const drop = (operator: TestOperator, changeId: string) =>
  ask(operator, 'DELETE', `/api/v1/plan-changes/${changeId}`)

type Sold = { id: string; layerId: string; name: string; price: { minor: number }; connections: number }

const listed = async (operator: TestOperator) => (await ask(operator, 'GET', '/api/v1/plans')).body

const soldIn = async (operator: TestOperator, layerId: string): Promise<Sold[]> =>
  (await listed(operator)).plans.filter((plan: Sold) => plan.layerId === layerId)

const toCome = async (operator: TestOperator, id: string) =>
  (await listed(operator)).changes.find((one: { id: string }) => one.id === id)

/** What the shop itself sells, by its own page's call; it hears of a change a moment later. */
const pricesInShop = async (layerId: string): Promise<number[]> =>
  (await shop.call('GET', '/api/v1/shop/items')).body
    .filter(({ layer }: { layer: { _id: string } }) => layer._id === layerId)
    .map(({ price }: { price: number }) => price)

const { jobsOf, hasNoJob, comes } = momentsOf(shop, 'plan_changes')

const shopPeriod = PERIODS[0] as string

describe('a change from a moment on', () => {
  test('is seen before, and made at its moment, once, in the plan’s place', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const dueAt = inAnHour()
    const { body } = await change(operator, planId, { priceMinor: 1_500, dueAt })
    expect(body).toEqual({ isNew: true, id: expect.any(String), isDone: false })
    expect(await toCome(operator, body.id)).toMatchObject({
      kind: 'change',
      planId,
      price: { minor: 1_500 },
      dueAt,
    })
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_000])
    await comes(body.id)
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_500])
    expect(await toCome(operator, body.id)).toBeUndefined()
    // The job again, as after a crash: nothing is made twice.
    await sql`select graphile_worker.add_job('change-plan', ${JSON.stringify({ changeId: body.id })}::json)`.execute(
      shop.db,
    )
    await hasNoJob(body.id)
    expect(await soldIn(operator, layerId)).toHaveLength(1)
    expect(await deedsOf(shop, operator)).toContainEqual({
      command: 'plan change',
      subject: planId,
      outcome: 'done',
      arguments: { planId, priceMinor: '1500', dueAt },
    })
  })

  test('is made at its moment though somebody ran its job before', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const { body } = await change(operator, planId, { priceMinor: 1_700, dueAt: inAnHour() })
    const [first] = await jobsOf(body.id)
    expect(
      (await ask(await anOperator(shop.db), 'POST', `/api/v1/jobs/${first}/retry`, { body: {} })).status,
    ).toBe(200)
    await until(async () => (await jobsOf(body.id))[0] !== first)
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_000])
    expect(await jobsOf(body.id)).toHaveLength(1)
    await comes(body.id)
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_700])
  })

  test('follows the plan that somebody has put in its place by hand meanwhile', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const later = (await change(operator, planId, { priceMinor: 1_500, dueAt: inAnHour() })).body.id
    const now = await change(await manager(), planId, { name: 'Thirty days' })
    expect(now.body.isDone).toBe(true)
    expect(await toCome(operator, later)).toMatchObject({ planId: now.body.id })
    await comes(later)
    expect(await soldIn(operator, layerId)).toMatchObject([{ name: 'Thirty days', price: { minor: 1_500 } }])
  })

  test('of which there are two for one plan is made one after the other', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const first = (await change(operator, planId, { priceMinor: 900, dueAt: inAnHour() })).body.id
    const second = (await change(operator, planId, { connections: 5, dueAt: inAnHour() })).body.id
    await comes(first)
    await comes(second)
    expect(await soldIn(operator, layerId)).toMatchObject([{ price: { minor: 900 }, connections: 5 }])
  })

  test('is taken back by one of two, and then not made', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const { id } = (await change(operator, planId, { priceMinor: 1_500, dueAt: inAnHour() })).body
    const replies = await Promise.all([drop(operator, id), drop(await manager(), id)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
    await comes(id)
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_000])
    expectProblem(await drop(operator, randomUUID()), 404)
  })

  test('of a plan that was taken off sale meanwhile is not made, and puts nothing on sale', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const { id } = (await change(operator, planId, { priceMinor: 1_500, dueAt: inAnHour() })).body
    await retire(operator, planId)
    await comes(id)
    await expect.poll(() => pricesInShop(layerId)).toEqual([])
    expect(await toCome(operator, id)).toBeUndefined()
  })

  test('puts a plan on sale, and takes one off', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const added = (
      await add(operator, layerId, { period: shopPeriod, priceMinor: 77, place: 1, dueAt: inAnHour() })
    ).body
    const retired = (await retire(operator, planId, { dueAt: inAnHour() })).body
    expect([added.isDone, retired.isDone]).toEqual([false, false])
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_000])
    await comes(added.id)
    await expect.poll(() => pricesInShop(layerId)).toEqual([77, 1_000])
    await comes(retired.id)
    await expect.poll(() => pricesInShop(layerId)).toEqual([77])
  })

  test('keeps its group from being removed until it is taken back', async () => {
    const operator = await manager()
    const layerId = await aLayer(operator)
    const { id } = (await add(operator, layerId, { period: shopPeriod, dueAt: inAnHour() })).body
    const refused = expectProblem(await ask(operator, 'DELETE', `/api/v1/layers/${layerId}`), 409)
    expect(refused.body.detail).toBe('A plan is to come in it: take that back first.')
    await ask(operator, 'DELETE', `/api/v1/plan-changes/${id}`)
    expect((await ask(operator, 'DELETE', `/api/v1/layers/${layerId}`)).status).toBe(200)
  })

  test('at a moment that has passed is made now', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const dueAt = new Date(Date.now() - 86_400_000).toISOString()
    expect((await change(operator, planId, { priceMinor: 1_200, dueAt })).body.isDone).toBe(true)
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_200])
  })

  test.each([
    ['no moment', 'tomorrow', 422],
    ['a day without a time', '2027-01-01', 422],
    ['a month that is none', '2027-13-01T00:00:00Z', 422],
    ['the end of time', '9999-12-31T23:59:59Z', 200],
  ])('at %s is refused or waits, and does no harm', async (_, dueAt, status) => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const reply = await change(operator, planId, { priceMinor: 1_500, dueAt })
    expect(reply.status, reply.text).toBe(status)
    await expect.poll(() => pricesInShop(layerId)).toEqual([1_000])
  })
})

describe('a plan', () => {
  test('that changes leaves what was ordered before at its price', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, { id: planId })
    await change(operator, planId, { priceMinor: 9_900 })
    await expect.poll(() => pricesInShop(layerId)).toEqual([9_900])
    await until(async () => (await paymentRow(shop, paymentId)).status === 'Success')
    expect(await paymentRow(shop, paymentId)).toMatchObject({ amount_minor: 1_000 })
  })

  test('changed by two at once is followed by one', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    const replies = await Promise.all([
      change(operator, planId, { priceMinor: 1_100 }),
      change(await manager(), planId, { priceMinor: 1_200 }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await soldIn(operator, layerId)).toHaveLength(1)
  })

  test('is changed by those only who may', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    for (const role of ['support', 'finance', 'servers', 'viewer'] as const) {
      const other = await anOperator(shop.db, role)
      expectProblem(await change(other, planId, { priceMinor: 1 }), 403)
      expectProblem(await retire(other, planId), 403)
      expectProblem(await add(other, layerId, { period: shopPeriod }), 403)
      expectProblem(await drop(other, randomUUID()), 403)
      expect((await ask(other, 'GET', '/api/v1/plans')).status).toBe(200)
    }
  })

  test.each([
    ['nothing', {}, 409],
    ['a price of nothing', { priceMinor: 0 }, 422],
    ['a negative price', { priceMinor: -1 }, 422],
    ['a price with a fraction', { priceMinor: 10.5 }, 422],
    ['a price beyond measure', { priceMinor: 1e300 }, 422],
    ['a price in words', { priceMinor: '1000' }, 422],
    ['a period that there is not', { period: '__proto__' }, 422],
    ['no connections', { connections: 0 }, 422],
    ['a name of spaces', { name: '   ' }, 422],
    ['a place before the first', { place: 0 }, 422],
  ])('is not changed by %s', async (_, body, status) => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    expectProblem(await change(operator, planId, body), status)
    expect(await soldIn(operator, layerId)).toMatchObject([{ id: planId }])
  })

  test('that there is not, or that is no longer sold, is not changed', async () => {
    const operator = await manager()
    const { layerId, planId } = await aPlan(operator)
    expectProblem(await change(operator, randomUUID(), { priceMinor: 5 }), 404)
    expectProblem(await retire(operator, randomUUID()), 404)
    expectProblem(await add(operator, randomUUID(), { period: shopPeriod }), 404)
    expectProblem(await change(operator, 'x', { priceMinor: 5 }), 404)
    await retire(operator, planId)
    expectProblem(await change(operator, planId, { priceMinor: 5 }), 409)
    expectProblem(await retire(operator, planId), 409)
    expectProblem(await ask(operator, 'DELETE', `/api/v1/layers/${layerId}`), 409)
  })
})
