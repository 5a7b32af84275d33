import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import {
  aCustomerWithConnections,
  aCustomerWithOrders,
  aCustomerWithPayments,
  pageOf,
  pagesOf,
} from '#testing/long-lists.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, startPayment } from '#testing/payments.ts'
import { shopOfFile, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const running = (count: number) => Array.from({ length: count }, (_, n) => 30 + n)

const encoded = (place: string) => Buffer.from(place).toString('base64url')

type List = { make: (shop: TestShop, count: number) => ReturnType<typeof aCustomer>; idOf: string }

const LISTS: [path: string, list: List][] = [
  ['/api/v1/orders', { make: aCustomerWithOrders, idOf: 'orderId' }],
  ['/api/v1/payment/history', { make: aCustomerWithPayments, idOf: '_id' }],
  ['/api/v1/connections', { make: (on, count) => aCustomerWithConnections(on, running(count)), idOf: '_id' }],
]

describe.each(LISTS)('GET %s', (path, { make, idOf }) => {
  test.each([
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('answers %i in pages of a hundred', async (count, lengths) => {
    const { token } = await make(shop, count)
    const pages = await pagesOf(shop, path, token)
    expect(pages.map(({ length }) => length)).toEqual(lengths)
    expect(new Set(pages.flat().map((one) => one[idOf]))).toHaveProperty('size', count)
  })

  test('has no next page where it is empty', async () => {
    const { token } = await aCustomer(shop)
    expect(await pageOf(shop, path, token)).toEqual({ rows: [], next: undefined })
  })

  test('shows nothing of a customer to another who has the address of the next page', async () => {
    const ada = await make(shop, 101)
    const eve = await make(shop, 3)
    const { next = '' } = await pageOf(shop, path, ada.token)
    const own = (await pageOf(shop, path, eve.token)).rows.map((one) => one[idOf])
    for (const one of (await pageOf(shop, next, eve.token)).rows) expect(own).toContain(one[idOf])
    expectProblem(await shop.call('GET', next), 401)
  })

  test.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['a moment and a letter', '1764000000.x'],
    ['a moment and no place', `1764000000.${encoded('["{1}","no id"]')}`],
    ['a day in words', encoded('["yesterday at noon","no id"]')],
    ['a number', encoded('[1]')],
    ['a time alone', encoded('["2026-11-23 10:00:00+00"]')],
    ['null characters', encoded('["\\u0000","\\u0000"]')],
    ['1001 letters', 'x'.repeat(1001)],
  ])('refuses %s as the place of the next page', async (_, after) => {
    const { token } = await aCustomer(shop)
    const reply = expectProblem(await shop.call('GET', `${path}?after=${after}`, { token }), 422)
    expect(reply.text).not.toMatch(/select|timestamp|uuid/)
  })
})

const newest = (rows: { createdAt: string }[]) =>
  rows.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))

test('orders and payments come newest first, over all pages', async () => {
  const ada = await aCustomerWithOrders(shop, 250)
  const eve = await aCustomerWithPayments(shop, 250)
  for (const [path, { token }] of [
    ['/api/v1/orders', ada],
    ['/api/v1/payment/history', eve],
  ] as const) {
    const all = (await pagesOf(shop, path, token)).flat()
    expect(all).toEqual(newest(all))
    expect(all.map(({ total }) => Math.round(total * 100))).toEqual(
      Array.from({ length: 250 }, (_, n) => 3001 + n),
    )
  }
})

test('a new payment between two pages makes nothing appear twice, and nothing be lost', async () => {
  const customer = await aCustomerWithPayments(shop, 150)
  const path = '/api/v1/payment/history'
  const before = (await pagesOf(shop, path, customer.token)).flat().map(({ _id }) => _id)
  const first = await pageOf(shop, path, customer.token)
  const paid = await startPayment(shop, customer, await anOrder(shop, customer))
  const second = await pageOf(shop, first.next ?? '', customer.token)
  expect([...first.rows, ...second.rows].map(({ _id }) => _id)).toEqual(before)
  expect((await pageOf(shop, path, customer.token)).rows[0]?._id).toBe(paid)
})

test('connections that are bought between two pages make none appear twice, and none be lost', async () => {
  const customer = await aCustomerWithConnections(shop, running(150))
  const path = '/api/v1/connections'
  const before = (await pagesOf(shop, path, customer.token)).flat().map(({ _id }) => _id)
  const first = await pageOf(shop, path, customer.token)
  await aPurchase(shop, { days: 31 }, {}, customer)
  const second = await pageOf(shop, first.next ?? '', customer.token)
  expect([...first.rows, ...second.rows].map(({ _id }) => _id)).toEqual(before)
})
