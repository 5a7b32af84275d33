import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { addDueChecks } from '#testing/due-checks.ts'
import { bookOf, listBooks, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry, postpone } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { CARDS, connectionsOf, pay, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const start = async (shop: TestShop, pan: string = CARDS.paid) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  return { customer, order, paymentId: await startPayment(shop, customer, order, { pan }) }
}

/** Lets the clock of one payment be further on. */
const age = (shop: TestShop, paymentId: string, seconds: number) =>
  sql`update payments set created_at = created_at - make_interval(secs => ${seconds}),
    next_check_at = now() - interval '1 second' where id = ${paymentId} and next_check_at is not null`.execute(
    shop.db,
  )

/** Runs the check as often as it takes. */
const checked = (shop: TestShop, paymentId: string, status: string) =>
  until(async () => {
    const row = await paymentRow(shop, paymentId)
    if (row.status === status) return true
    if (row.next_check_at && row.next_check_at > new Date()) await age(shop, paymentId, 0)
    await hurry(shop, 'check-payments')
    return false
  })

describe('when no callback comes', () => {
  const shop = shopOfFile()

  test('the check finds the success, and delivers once', async () => {
    await switchFaults(shop, { dropCallbacks: true })
    const { paymentId } = await start(shop)
    await checked(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('the check finds the decline', async () => {
    await switchFaults(shop, { dropCallbacks: true })
    const { paymentId, customer, order } = await start(shop, CARDS.declined)
    await checked(shop, paymentId, 'Decline')
    const { body } = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    expect(body.status).toBe('Rejected')
  })

  test('the check finds the bank’s question', async () => {
    await switchFaults(shop, { dropCallbacks: true })
    const { paymentId } = await start(shop, CARDS.challenged)
    await checked(shop, paymentId, 'awaiting 3ds result')
  })

  test('the gateway is asked less and less often', async () => {
    await switchFaults(shop, { dropCallbacks: true })
    const { paymentId } = await start(shop, CARDS.challenged)
    const pauses: number[] = []
    for (let checks = 1; checks <= 4; checks++) {
      await until(async () => {
        const row = await paymentRow(shop, paymentId)
        if (row.checks >= checks) return true
        if (row.next_check_at && row.next_check_at > new Date()) await age(shop, paymentId, 0)
        await hurry(shop, 'check-payments')
        return false
      })
      const { rows } = await sql<{ pause: number }>`
        select round(extract(epoch from next_check_at - now()) / 10.0)::int * 10 as pause
        from payments where id = ${paymentId}`.execute(shop.db)
      pauses.push(rows[0]?.pause ?? 0)
    }
    expect(pauses).toEqual([20, 40, 80, 160])
  })

  test('a payment that has ended is asked about no more', async () => {
    await switchFaults(shop, { dropCallbacks: true })
    const { paymentId } = await start(shop)
    await checked(shop, paymentId, 'Success')
    expect((await paymentRow(shop, paymentId)).next_check_at).toBeNull()
  })
})

test('who presses again and again while the gateway is silent does not have it asked more often', async () => {
  const shop = await startTestShop()
  await switchFaults(shop, { failCalls: 1 })
  const { paymentId, customer, order } = await start(shop)
  // The recurring job leaves it alone meanwhile.
  await sql`update payments set checks = 3, next_check_at = now() + interval '1 day' where id = ${paymentId}`.execute(
    shop.db,
  )
  const { next_check_at } = await paymentRow(shop, paymentId)
  for (let press = 0; press < 5; press++)
    expect((await pay(shop, customer, order)).body).toMatchObject({ code: 'payment-under-way', paymentId })
  expect(await paymentRow(shop, paymentId)).toMatchObject({ checks: 3, next_check_at })
})

describe('an attempt that the gateway never saw', () => {
  test('waits for a minute, then ends as an error, and the order can be paid again', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failSales: '500' })
    const { paymentId, customer, order } = await start(shop)
    await until(async () => {
      await age(shop, paymentId, 0)
      await hurry(shop, 'check-payments')
      return (await paymentRow(shop, paymentId)).checks > 0
    })
    expect((await paymentRow(shop, paymentId)).status).toBe('Pending')
    expect((await pay(shop, customer, order)).body.paymentId).toBe(paymentId)

    await age(shop, paymentId, 61)
    await checked(shop, paymentId, 'Error')
    expect(await bookOf(shop, paymentId)).toBeUndefined()
    await switchFaults(shop, { failSales: 'none' })
    const second = await startPayment(shop, customer, order)
    await reached(shop, second, 'Success')
    expect(await connectionsOf(shop, second)).toHaveLength(3)
    expect(await listBooks(shop)).toHaveLength(1)
  })

  test('and that arrives there after all is delivered, though no callback tells of it', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failSales: '500', dropCallbacks: true })
    const { paymentId } = await start(shop)
    await age(shop, paymentId, 61)
    await checked(shop, paymentId, 'Error')
    await switchFaults(shop, { failSales: 'none' })
    const sale = shop.gateCalls.find(({ path }) => path.endsWith('/card/sale'))
    await fetch(`${shop.sandbox.url}${sale?.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sale?.body),
    })
    await checked(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect((await paymentRow(shop, paymentId)).next_check_at).toBeNull()
  })

  test('is asked about for a day, and no longer', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failSales: '500' })
    const { paymentId } = await start(shop)
    await age(shop, paymentId, 86_401)
    await checked(shop, paymentId, 'Error')
    await until(async () => {
      await hurry(shop, 'check-payments')
      return (await paymentRow(shop, paymentId)).next_check_at === null
    })
  })
})

describe('a gateway that does not answer', () => {
  test('is asked about a few only, and every payment keeps its place in the line', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failCalls: 1 })
    const ids = await addDueChecks(shop, await aCustomer(shop), 100)
    await hurry(shop, 'check-payments')
    const asked = () => new Set(shop.gateCalls.map(({ body }) => body.general?.payment_id)).size
    const row = (id: string) => paymentRow(shop, id)
    await until(() => asked() >= 20)
    // One run, however slow the machine is.
    await postpone(shop, 'check-payments')
    for (const { checks } of await Promise.all(ids.map(row))) expect(checks).toBe(3)
    expect(asked()).toBeLessThan(100)

    await switchFaults(shop, { failCalls: 0 })
    await sql`update payments set next_check_at = now()`.execute(shop.db)
    await until(async () => {
      await hurry(shop, 'check-payments')
      return (await Promise.all(ids.map(row))).every(({ checks }) => checks > 3)
    })
  })
})
