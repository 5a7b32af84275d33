import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isAttentionItem } from '#care/telemetry/attention-items.ts'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import {
  CARDS,
  challengeOf,
  connectionsOf,
  pay,
  paymentRow,
  reached,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** An order of €30.00 with an attempt of which the gateway says that it works on it. */
const atWork = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  const at = new Date(Date.now() + 2000)
  await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'processing', at })
  expect((await paymentRow(shop, paymentId)).status).toBe('processing')
  return { customer, order, paymentId }
}

const tellAt = (paymentId: string, status: string, time: number) =>
  sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status, at: new Date(time) })

const tell = (paymentId: string, status: string, seconds = 5) =>
  tellAt(paymentId, status, Date.now() + seconds * 1000)

const ENDINGS = [
  ['expired', 'Decline', 'endExpired'],
  ['cancelled', 'Decline', 'endCancelled'],
  ['reversed', 'Decline', 'endReversed'],
  ['internal error', 'Error', 'endWithInternalError'],
  ['external error', 'Error', 'endWithExternalError'],
] as const

const BY_CALLBACK = [...ENDINGS, ['refunded', 'Decline', ''], ['partially paid', 'Error', '']] as const

describe.each(BY_CALLBACK)('a payment that the gateway calls %s', (word, status) => {
  test(`ends as ${status} by a callback, is kept in the gateway’s word, and can be paid again`, async () => {
    const { customer, order, paymentId } = await atWork()
    expect((await tell(paymentId, word)).status).toBe(200)
    expect(await reached(shop, paymentId, status)).toBe(status)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ gate_status: word, received_minor: null })
    const again = await startPayment(shop, customer, order)
    await reached(shop, again, 'Success')
    expect(await connectionsOf(shop, again)).toHaveLength(3)
    expect([await connectionsOf(shop, paymentId), await refundsOf(shop, paymentId)]).toEqual([[], []])
  })

  test('does not keep its customer from deleting the account', async () => {
    const { customer, paymentId } = await atWork()
    await tell(paymentId, word)
    await reached(shop, paymentId, status)
    expect((await eraseAccount(shop, customer)).status).toBeLessThan(300)
  })

  test('and that succeeds after all is delivered', async () => {
    const { paymentId } = await atWork()
    await tell(paymentId, word)
    await tell(paymentId, 'success', 1)
    expect(await reached(shop, paymentId, 'Success')).toBe('Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    // Never taken back by a repeat.
    await tell(paymentId, word)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect((await paymentRow(shop, paymentId)).status).toBe('Success')
  })
})

test('a payment that the gateway’s page lets the customer try again is theirs to leave', async () => {
  const { customer, order, paymentId } = await atWork()
  expect((await tell(paymentId, 'awaiting customer')).status).toBe(200)
  expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
  const again = await startPayment(shop, customer, order, { instead: paymentId })
  await reached(shop, again, 'Success')
  await tell(paymentId, 'expired')
  expect(await statusOf(shop, paymentId)).toBe('Decline')
})

/** Runs the check until it has found how a payment ended. */
const checked = (own: TestShop, paymentId: string, status: string) =>
  until(async () => {
    if ((await paymentRow(own, paymentId)).status === status) return true
    await sql`update payments set next_check_at = now() where id = ${paymentId} and next_check_at > now()`.execute(
      own.db,
    )
    await hurry(own, 'check-payments')
    return false
  })

describe('when no callback comes', () => {
  test('the check finds how each ended at the gateway', async () => {
    const own = await startTestShop()
    for (const [word, status, fault] of ENDINGS) {
      await switchFaults(own, { dropCallbacks: true, [fault]: 1 })
      const customer = await aCustomer(own)
      const paymentId = await startPayment(own, customer, await anOrder(own, customer))
      await checked(own, paymentId, status)
      expect(await paymentRow(own, paymentId)).toMatchObject({ gate_status: word })
      await switchFaults(own, { [fault]: 0 })
    }
  })
})

describe('an attempt that is over at the gateway, that was not reported to the shop', () => {
  test.each(ENDINGS)(
    '%s: does not stand in the way of the next, of an order or a plan',
    async (_, status, fault) => {
      const own = await startTestShop()
      await switchFaults(own, { dropCallbacks: true, [fault]: 1 })
      const customer = await aCustomer(own)
      const order = await anOrder(own, customer)
      const plan = planFor('1 week')
      const first = await startPayment(own, customer, order)
      const firstOfPlan = await startSale(own, customer, plan)
      const words = ['success', 'decline', 'processing']
      for (const id of [first, firstOfPlan])
        await until(async () => !words.includes((await bookOf(own, id))?.status))
      // As if the gateway had reported that it works on it; and no check runs by itself.
      await sql`update payments set next_check_at = now() + interval '1 day', status = 'processing'`.execute(
        own.db,
      )
      await switchFaults(own, { dropCallbacks: false, [fault]: 0 })
      const second = await startPayment(own, customer, order)
      const secondOfPlan = await startSale(own, customer, plan, { instead: firstOfPlan })
      for (const id of [second, secondOfPlan]) await reached(own, id, 'Success')
      for (const id of [first, firstOfPlan]) expect((await paymentRow(own, id)).status).toBe(status)
    },
  )

  test('is asked about once, and only for its own customer', async () => {
    const { customer, order, paymentId } = await atWork()
    const asked = () =>
      shop.gateCalls.filter(
        ({ path, body }) => path.endsWith('/status') && body.general.payment_id === paymentId,
      ).length
    await sql`update payments set next_check_at = now() + interval '1 day' where id = ${paymentId}`.execute(
      shop.db,
    )
    const before = asked()
    expectProblem(await pay(shop, await aCustomer(shop), order), 404)
    expect(asked()).toBe(before)
    const reply = expectProblem(await pay(shop, customer, order, { instead: paymentId }), 409)
    expect([reply.body.paymentId, asked()]).toEqual([paymentId, before + 1])
  })
})

describe('an unknown word', () => {
  test('keeps the payment waiting, by that word', async () => {
    const { paymentId } = await atWork()
    await tell(paymentId, 'awaiting clearing')
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      status: 'processing',
      gate_status: 'awaiting clearing',
    })
    await tell(paymentId, 'x'.repeat(5000), 6)
    expect((await paymentRow(shop, paymentId)).gate_status).toBe('x'.repeat(100))
  })
})

/** An attempt whose money the customer's bank has promised. */
const promised = async () => {
  const { customer, order, paymentId } = await atWork()
  const at = Date.now() + 5000
  await tellAt(paymentId, 'awaiting confirmation', at)
  expect((await paymentRow(shop, paymentId)).gate_status).toBe('awaiting confirmation')
  return { customer, order, paymentId, at }
}

describe('money that a bank has promised', () => {
  test('is shown to the customer on the page and in the history, with the way to pay otherwise', async () => {
    const { customer, order, paymentId } = await promised()
    const { body } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
    expect([body.status, JSON.parse(body.metadata)]).toEqual([
      'processing',
      { promised: { again: `/checkout/${order.orderId}` } },
    ])
    const history = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(history.body[0]).toMatchObject({ status: 'processing', isPromised: true })
  })

  test('does not keep from paying otherwise; if both arrive, one goes back', async () => {
    const { customer, order, paymentId: first } = await promised()
    expect(expectProblem(await pay(shop, customer, order), 409).body.paymentId).toBe(first)
    const second = await startPayment(shop, customer, order, { instead: first })
    await reached(shop, second, 'Success')
    await tell(first, 'success', 10)
    expect(await paymentRow(shop, first)).toMatchObject({ status: 'Success', refund_due: true })
    expect(await refundsOf(shop, first)).toMatchObject([{ reason: 'paid-twice', amount_minor: 3000 }])
    expect([await connectionsOf(shop, first), (await connectionsOf(shop, second)).length]).toEqual([[], 3])
  })

  test('that comes is delivered; that never comes ends as a decline', async () => {
    const { paymentId: kept } = await promised()
    await tell(kept, 'success', 10)
    expect(await connectionsOf(shop, kept)).toHaveLength(3)
    const { paymentId: broken } = await promised()
    await tell(broken, 'reversed', 10)
    expect(await reached(shop, broken, 'Decline')).toBe('Decline')
  })

  test('says until when the account cannot be deleted, also once the attempt is left', async () => {
    const { customer, order, paymentId } = await promised()
    const erase = () => eraseAccount(shop, customer)
    const day = (
      await sql<{ day: string }>`
      select to_char(gate_updated_at at time zone 'UTC' + interval '7 days', 'DD/MM/YYYY') as day
      from payments where id = ${paymentId}`.execute(shop.db)
    ).rows[0]?.day
    expect(expectProblem(await erase(), 409).body.detail).toContain(`until ${day}`)
    await reached(shop, await startPayment(shop, customer, order, { instead: paymentId }), 'Success')
    expect(expectProblem(await erase(), 409).body.detail).toContain(`until ${day}`)
    await tell(paymentId, 'expired', 10)
    expect((await eraseAccount(shop, customer)).status).toBeLessThan(300)
  })

  test('has eight days before the operator sees it; so has what was left', async () => {
    const { customer, order, paymentId: left } = await promised()
    await startPayment(shop, customer, order, { instead: left })
    const { paymentId } = await promised()
    const alertsAfter = async (days: number) => {
      const ids = [paymentId, left]
      await sql`update payments set created_at = now() - make_interval(days => ${days}) where id = any(${ids})`.execute(
        shop.db,
      )
      const { rows } = await sql<{ id: string }>`
        select id from payments where ${isAttentionItem('stuck')} and id = any(${ids})`.execute(shop.db)
      return rows.length
    }
    expect(await alertsAfter(7)).toBe(0)
    expect(await alertsAfter(9)).toBe(2)
    const samples = (await (await fetch(shop.metricsUrl)).text()).split('\n')
    expect(samples).toContain('hedgerow_payments{status="left"} 1')
    expect(
      samples.find((line) => line.startsWith('hedgerow_payments{status="awaiting confirmation"}')),
    ).toBeDefined()
  })

  test('is overtaken by nothing of the same second, and by no older word', async () => {
    const { paymentId, at } = await promised()
    for (const earlier of [0, 1]) await tellAt(paymentId, 'processing', at - earlier * 1000)
    const row = await paymentRow(shop, paymentId)
    expect(row.gate_status).toBe('awaiting confirmation')
  })
})
