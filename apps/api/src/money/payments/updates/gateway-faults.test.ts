import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, listBooks, switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { CARDS, connectionsOf, pay, paymentRow, reached, startPayment, statusOf } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const FINAL = ['Success', 'Decline', 'Error']

/** Presses the button as a customer would, again and again until the order is paid, while the gateway misbehaves. */
const payUntilPaid = async (shop: TestShop) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  await until(async () => {
    const reply = await pay(shop, customer, order)
    const id = reply.body.paymentId
    if (!id) return reply.body.detail.includes('already paid')
    await until(async () => {
      // What the gateway never saw ends after a minute, which a test does not wait for.
      await sql`update payments set created_at = now() - interval '2 minutes', next_check_at = now()
        where id = ${id} and status = 'Pending' and created_at < now() - interval '2 seconds'`.execute(
        shop.db,
      )
      await hurry(shop, 'check-payments')
      return FINAL.includes(await statusOf(shop, id))
    })
    return (await statusOf(shop, id)) === 'Success'
  })
  return order
}

const expectOneSaleEach = async (shop: TestShop, orders: { orderId: string }[]) => {
  const books = (await listBooks(shop)).filter(({ status }) => status === 'success')
  for (const { orderId } of orders) {
    const rows = await shop.db.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute()
    const charged = books.filter(({ id }) => rows.some((row) => row.id === id))
    expect(charged).toHaveLength(1)
    expect(await connectionsOf(shop, charged[0].id)).toHaveLength(3)
    expect(rows.filter(({ status }) => status === 'Success')).toHaveLength(1)
  }
}

describe('a gateway', () => {
  test.each(['500', 'drop-after-accept'] as const)(
    'that answers every other sale with %s charges nobody twice, and loses nobody’s money',
    async (failSales) => {
      const shop = await startTestShop()
      await switchFaults(shop, { failSales, failRate: 0.5 })
      const orders = await Promise.all(Array.from({ length: 6 }, () => payUntilPaid(shop)))
      await expectOneSaleEach(shop, orders)
    },
  )

  test('that takes a sale and loses its answer is believed', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failSales: 'drop-after-accept' })
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await listBooks(shop)).toHaveLength(1)
  })

  test('that hangs once is asked again, and charges once', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failSales: 'hang' })
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const taken = startPayment(shop, customer, order)
    // The second press comes when the first has reached the gateway, so that it cannot overtake it.
    await until(() => shop.gateCalls.some(({ path }) => path.endsWith('/card/sale')))
    const { status, body } = await pay(shop, customer, order)
    expect(status).toBe(409)
    await switchFaults(shop, { failSales: 'none' })
    expect(await taken).toBe(body.paymentId)
    await reached(shop, body.paymentId, 'Success')
    expect(await listBooks(shop)).toHaveLength(1)
  })

  test('that tells everything three times and late updates after the end changes nothing', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { duplicateCallbacks: 2, reorderCallbacks: true, forgeCallbacks: true })
    const customer = await aCustomer(shop)
    const [paid, declined] = await Promise.all(
      [CARDS.paid, CARDS.declined].map(async (pan) =>
        startPayment(shop, customer, await anOrder(shop, customer), { pan }),
      ),
    )
    await reached(shop, paid ?? '', 'Success')
    await reached(shop, declined ?? '', 'Decline')
    for (const id of [paid ?? '', declined ?? '']) {
      await until(async () => {
        const { callbacks } = await bookOf(shop, id)
        return callbacks.delivered >= 4 && callbacks.tried === callbacks.delivered
      })
    }
    expect([await statusOf(shop, paid ?? ''), await statusOf(shop, declined ?? '')]).toEqual([
      'Success',
      'Decline',
    ])
    expect(await connectionsOf(shop, paid ?? '')).toHaveLength(3)
    expect(await connectionsOf(shop, declined ?? '')).toEqual([])
  })

  test('that cannot be reached leaves the attempt open, and no page waits for ever', async () => {
    const shop = await startTestShop({ env: { GATE_URL: 'http://127.0.0.1:9' } })
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer))
    expect(await paymentRow(shop, paymentId)).toMatchObject({ status: 'Pending', ended_at: null })
  })

  test('that signs nothing of its status is not believed', async () => {
    const shop = await startTestShop({ sandbox: { secret: 'the gateway has another secret' } })
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'Error')
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })
})
