import { DAY_MS } from '@hedgerow/domain/dates'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { pay } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
afterEach(() => void vi.useRealTimers())

const setClock = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS })

describe('by the clock of the database, whatever that of the process says', () => {
  test('an order can be paid, or has expired', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const refused = () => pay(shop, customer, { ...order, total: 1 })
    setClock(3)
    expectProblem(await refused(), 422)
    vi.useRealTimers()
    await sql`update orders set expires_at = now() - interval '1 hour' where id = ${order.orderId}`.execute(
      shop.db,
    )
    setClock(-3)
    expect(expectProblem(await refused(), 409).body.detail).toContain('expired')
  })

  test('a session lasts, or has ended', async () => {
    const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })
    const { token, id } = await aCustomer(shop)
    setClock(400)
    expect((await profile(token)).status).toBe(200)
    vi.useRealTimers()
    const { token: later, id: other } = await aCustomer(shop)
    expect(id).not.toBe(other)
    await sql`update sessions set expires_at = now() - interval '1 hour' where customer_id = ${other}`.execute(
      shop.db,
    )
    setClock(-400)
    expectProblem(await profile(later), 401)
  })
})
