import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { metadataOf } from '#testing/payment-methods.ts'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  challengeOf,
  reached,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const status = (paymentId: string) => shop.call('GET', `/api/v1/payment/status/${paymentId}`)

const aChallengedPayment = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  return paymentId
}

describe('GET /api/v1/payment/status/:paymentId', () => {
  test('answers the status, and metadata that are JSON text, without a login', async () => {
    const { paymentId } = await aPurchase(shop)
    expect((await status(paymentId)).body).toEqual({ status: 'Success', metadata: '{}' })
  })

  test('tells where to go only while the customer is to go there', async () => {
    const paymentId = await aChallengedPayment()
    const { body } = await status(paymentId)
    expect(Object.keys(JSON.parse(body.metadata)).sort()).toEqual(['acs_url', 'md', 'pa_req', 'term_url'])
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect((await status(paymentId)).body.metadata).toBe('{}')
  })

  test.each(['0'.repeat(32), 'x', '%00', '0'.repeat(31), 'A'.repeat(32), '0'.repeat(300)])(
    'knows no payment %s',
    async (id) => {
      expectProblem(await status(id), 404)
    },
  )

  test('finds a payment that started after it was first asked for', async () => {
    const paymentId = await aChallengedPayment()
    expect(await statusOf(shop, paymentId)).toBe('awaiting 3ds result')
  })

  test('tells the same in two processes, after every change', async () => {
    const second = await openSecondFront(shop)
    const paymentId = await aChallengedPayment()
    await reached(second, paymentId, 'awaiting 3ds result')
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline' })
    await Promise.all([reached(shop, paymentId, 'Decline'), reached(second, paymentId, 'Decline')])
    const front = { call: second.call, settings: shop.settings }
    await sendUpdate(front, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    await Promise.all([reached(shop, paymentId, 'Success'), reached(second, paymentId, 'Success')])
    // Whatever is remembered from now on is the end of it.
    for (let i = 0; i < 20; i++) {
      expect([await statusOf(shop, paymentId), await statusOf(second, paymentId)]).toEqual([
        'Success',
        'Success',
      ])
    }
  })

  test('stays right when the connection that hears of changes breaks', async () => {
    const paymentId = await aChallengedPayment()
    await statusOf(shop, paymentId)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'hedgerow listener'`.execute(shop.db)
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline' })
    await reached(shop, paymentId, 'Decline')
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and application_name = 'hedgerow listener'`.execute(shop.db)
      return rows.length === 1
    })
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    await reached(shop, paymentId, 'Success')
  })
})

describe('what is said of a decline', () => {
  const declinedWith = async (code: string) => {
    const paymentId = await aChallengedPayment()
    const sum = { amount: 3000, currency: 'EUR' }
    const operation = { id: 1, type: 'sale', status: 'decline', code, sum_initial: sum, request_id: 'r' }
    const update = { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline', more: { operation } }
    await sendUpdate(shop, update)
    await reached(shop, paymentId, 'Decline')
    return metadataOf(shop, paymentId)
  }

  test.each([
    ['10105', 'There is not enough money in the account.'],
    ['10106', 'The card has expired.'],
    ['10301', 'You cancelled the payment.'],
    ['108', 'Verification was not completed in time.'],
  ])('is the reason of %s', async (code, reason) => {
    expect(await declinedWith(code)).toEqual({ reason, again: expect.stringMatching(/^\/checkout\//) })
  })

  test.each(['10401', '10402', '10404', '10405', '402', '1401', '20401', '20402', '10000', '999999'])(
    'is never the reason of %s: risk is not the customer’s to know',
    async (code) => {
      expect(await declinedWith(code)).toEqual({ again: expect.stringMatching(/^\/checkout\//) })
    },
  )

  test('leads back to the plan, where a plan was to be bought', async () => {
    const plan = planFor('1 week')
    const paymentId = await startSale(shop, await aCustomer(shop), plan, { pan: CARDS.declined })
    await reached(shop, paymentId, 'Decline')
    expect((await metadataOf(shop, paymentId)).again).toBe(`/payment/checkout/${plan.id}`)
  })
})

test('a waiting page costs the gateway nothing, and the database one read for each change', async () => {
  const paymentId = await aChallengedPayment()
  await until(async () => (await statusOf(shop, paymentId)) === 'awaiting 3ds result')
  const calls = shop.gateCalls.length
  await until(async () => {
    await sql`update payments set status = 'awaiting clarification' where id = ${paymentId}
      returning pg_notify('changed', ${`payment:${paymentId}`})`.execute(shop.db)
    await reached(shop, paymentId, 'awaiting clarification')
    // A change without a notification shows whether the row is read; one of before may still be on its way.
    await sql`update payments set status = 'awaiting customer action' where id = ${paymentId}`.execute(
      shop.db,
    )
    const replies = await Promise.all(Array.from({ length: 50 }, () => statusOf(shop, paymentId)))
    return replies.every((status) => status === 'awaiting clarification')
  })
  expect(shop.gateCalls).toHaveLength(calls)
  await sql`select pg_notify('changed', ${`payment:${paymentId}`})`.execute(shop.db)
  await reached(shop, paymentId, 'awaiting customer action')
})

test('a session that ends in one process ends in the other', async () => {
  const second = await openSecondFront(shop)
  const { token } = await aCustomer(shop)
  const profile = () => second.call('GET', '/api/v1/user/profile', { token })
  expect((await profile()).status).toBe(200)
  await shop.call('POST', '/api/v1/user/logout', { token })
  await until(async () => (await profile()).status === 401)
  expect((await profile()).status).toBe(401)
})
