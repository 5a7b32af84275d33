import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { type Front, openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), 'setting', ...args)
const prices = async ({ call }: Pick<Front, 'call'> = shop) => (await call('GET', '/api/v1/shop/prices')).body
const DEFAULT = { day: 100, connection: 10, features: { feature1: 5, feature2: 3, feature3: 2, feature4: 1 } }

afterEach(async () => {
  await sql`delete from running_settings`.execute(shop.db)
  await until(async () => (await prices()).day === 100)
})

test('the calculator computes with the shipped prices, until an operator sets others', async () => {
  expect(await prices()).toEqual(DEFAULT)
  const other = await openSecondFront(shop)
  const set = await ops('set', 'price-day', '--value', '1.20', '--yes')
  expect(set.code).toBe(0)
  await until(async () => (await prices()).day === 120 && (await prices(other)).day === 120)
  expect(await prices()).toEqual({ ...DEFAULT, day: 120 })
  await ops('clear', 'price-day', '--yes')
  await until(async () => (await prices()).day === 100)
})

test('an order at the old price is refused with the new one, and one that is there keeps its total', async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  await ops('set', 'price-day', '--value', '1.20', '--yes')
  await until(async () => (await prices()).day === 120)
  const { token } = customer
  const body = anOrderBody({ days: 30, connections: 3 })
  const refused = await shop.call('POST', '/api/v1/orders', { token, body })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('36.00')
  const taken = await shop.call('POST', '/api/v1/orders', { token, body: { ...body, total: 36 } })
  expect(taken.status).toBe(201)
  const kept = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token })
  expect(kept.body.total).toBe(order.total)
})

test.each([
  ['price-day', '0'],
  ['price-day', '-1'],
  ['price-day', '1000.01'],
  ['price-ad-filter', 'free'],
  ['price-ad-filter', '1e3'],
])('%s is not set to %j', async (name, value) => {
  const { code, err } = await ops('set', name, '--yes', `--value=${value}`)
  expect(code).toBe(2)
  expect(err).toMatch(/--value: An amount/)
  expect(await prices()).toEqual(DEFAULT)
})

test('a price is set from a shell, which names no operator, and says what orders come to', async () => {
  const { json } = await ops('set', 'price-day', '--value', '1.20', '--yes', '--json')
  const [order] = json.orders
  expect(order).toEqual({ order: '30 days and 3 connections', before: '30.00', after: '36.00' })
  const listed = (await ops('list', '--json')).json
  expect(listed).toContainEqual({
    name: 'price-day',
    value: '1.20',
    usual: '1.00',
    setAt: expect.stringMatching(/Z$/),
    by: null,
  })
  const changed = await ops('prices', '--price-ad-filter', '0', '--yes', '--json')
  expect(changed.json).toEqual({ id: null, isDone: true })
})

test('nothing is set that is no setting', async () => {
  expect((await ops('set', 'price-month', '--value', '1', '--yes')).err).toContain('no name price-month')
})
