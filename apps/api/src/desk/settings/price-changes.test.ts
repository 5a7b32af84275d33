import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { momentsOf } from '#testing/changes-to-come.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { reached, startPayment } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()
const { jobsOf, hasNoJob, comes } = momentsOf(shop, 'price_changes')

const manager = () => anOperator(shop.db, 'manager')
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const change = (operator: TestOperator, body: object) =>
  ask(operator, 'POST', '/api/v1/price-changes', { body })
const toCome = async (operator: TestOperator) => (await ask(operator, 'GET', '/api/v1/price-changes')).body
const drop = (operator: TestOperator, id: string) => ask(operator, 'DELETE', `/api/v1/price-changes/${id}`)
const inShop = async () => (await shop.call('GET', '/api/v1/shop/prices')).body
const dayIs = (minor: number) => until(async () => (await inShop()).day === minor)

afterEach(async () => {
  await sql`update price_changes set ended_at = now() where ended_at is null`.execute(shop.db)
  await sql`delete from running_settings`.execute(shop.db)
  await dayIs(100)
})

describe('prices of the calculator that an operator changes', () => {
  test('count at once, all of them together, where no moment is named', async () => {
    const operator = await manager()
    const { body } = await change(operator, { 'price-day': 130, 'price-ad-filter': 0 })
    expect(body).toEqual({ id: null, isDone: true })
    await dayIs(130)
    expect(await inShop()).toMatchObject({ day: 130, connection: 10, features: { feature1: 5, feature2: 0 } })
    expect(await deedsOf(shop, operator)).toMatchObject([
      { command: 'setting set', outcome: 'done', arguments: { 'price-day': '130', 'price-ad-filter': '0' } },
    ])
  })

  test('count from their moment on, by the name of who set them, and not a moment before', async () => {
    const operator = await manager()
    const dueAt = inHours(1)
    const { id } = (await change(operator, { 'price-day': 150, dueAt })).body
    expect(await toCome(operator)).toEqual([{ id, prices: { 'price-day': 150 }, dueAt }])
    expect(await inShop()).toMatchObject({ day: 100 })
    // Somebody runs its job too early.
    const [first] = await jobsOf(id)
    await ask(await anOperator(shop.db), 'POST', `/api/v1/jobs/${first}/retry`, { body: {} })
    await until(async () => (await jobsOf(id))[0] !== first)
    expect(await inShop()).toMatchObject({ day: 100 })
    await comes(id)
    await dayIs(150)
    expect(await toCome(operator)).toEqual([])
    const settings = (await ask(operator, 'GET', '/api/v1/settings')).body
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'price-day', value: '1.50', by: operator.name }),
    )
  })

  test('count in the order of their moments, where the shop was down over several', async () => {
    const operator = await manager()
    const later = (await change(operator, { 'price-day': 170, dueAt: inHours(2) })).body.id
    const sooner = (await change(operator, { 'price-day': 160, 'price-connection': 20, dueAt: inHours(1) }))
      .body.id
    expect((await toCome(operator)).map(({ id }: { id: string }) => id)).toEqual([sooner, later])
    await comes(sooner, later)
    await dayIs(170)
    expect(await inShop()).toMatchObject({ connection: 20 })
  })

  test('are not sold by once they were taken back, by one of two', async () => {
    const operator = await manager()
    const { id } = (await change(operator, { 'price-day': 180, dueAt: inHours(1) })).body
    const replies = await Promise.all([drop(operator, id), drop(await manager(), id)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
    await comes(id)
    await hasNoJob(id)
    expect(await inShop()).toMatchObject({ day: 100 })
    expectProblem(await drop(operator, randomUUID()), 404)
  })

  test('leave an order that was made before them as it was quoted, and it is paid like that', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const { id } = (await change(await manager(), { 'price-day': 190, dueAt: inHours(1) })).body
    await comes(id)
    await dayIs(190)
    const late = await shop.call('POST', '/api/v1/orders', {
      token: customer.token,
      body: anOrderBody({ days: 30, connections: 3 }),
    })
    expect(late.status).toBe(422)
    expect(JSON.stringify(late.body)).toContain('57.00')
    const paymentId = await startPayment(shop, customer, order)
    expect(await reached(shop, paymentId, 'Success')).toBe('Success')
  })

  test('are shown to whoever looks at the plans, with their moment', async () => {
    const operator = await manager()
    await change(operator, { 'price-connection': 40, dueAt: inHours(1) })
    const last = inHours(2)
    await change(operator, { 'price-day': 200, dueAt: last })
    const { prices, pricesFrom } = (await ask(operator, 'GET', '/api/v1/plans')).body
    expect(prices).toMatchObject({ dayMinor: 100, extraConnectionMinor: 10 })
    expect(pricesFrom).toMatchObject([
      { prices: { dayMinor: 100, extraConnectionMinor: 40 } },
      { dueAt: last, prices: { dayMinor: 200, extraConnectionMinor: 40 } },
    ])
  })

  test.each([
    [{ 'price-day': 0 }],
    [{ 'price-day': 100_001 }],
    [{ 'price-day': 1.5 }],
    [{ 'price-day': '120' }],
    [{ 'price-family-filter': -1 }],
    [{ 'price-day': 120, dueAt: 'tomorrow' }],
  ])('are refused: %j', async (body) => {
    const operator = await manager()
    expectProblem(await change(operator, body), 422)
    expect(await toCome(operator)).toEqual([])
    expect(await inShop()).toMatchObject({ day: 100 })
  })

  test('want one at least', async () => {
    expectProblem(await change(await manager(), { dueAt: inHours(1) }), 409)
    expectProblem(await change(await manager(), { 'price-month': 100 }), 409)
  })

  test('are changed by those only who may, and who have just shown who they are', async () => {
    const { id } = (await change(await manager(), { 'price-day': 120, dueAt: inHours(1) })).body
    for (const role of ['support', 'finance', 'servers', 'viewer'] as const) {
      const operator = await anOperator(shop.db, role)
      expectProblem(await change(operator, { 'price-day': 120 }), 403)
      expectProblem(await drop(operator, id), 403)
    }
    const late = await manager()
    await letOperatorProofAge(shop, late)
    expect(expectProblem(await change(late, { 'price-day': 120 }), 403).body.code).toBe('ask-again')
    expect(await inShop()).toMatchObject({ day: 100 })
  })
})
