import { aCustomer } from '@hedgerow/testing/customers'
import { sendNews } from '@hedgerow/testing/gateway'
import { anOrder } from '@hedgerow/testing/orders'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  challengeOf,
  reached,
  startPayment,
  statusOf,
} from '@hedgerow/testing/payments'
import { expectProblem } from '@hedgerow/testing/problems'
import { openSecondFront, shopOfFile } from '@hedgerow/testing/test-shop'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

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
    await sendNews(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline' })
    await Promise.all([reached(shop, paymentId, 'Decline'), reached(second, paymentId, 'Decline')])
    const front = { call: second.call, settings: shop.settings }
    await sendNews(front, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
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
    await sendNews(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline' })
    await reached(shop, paymentId, 'Decline')
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and application_name = 'hedgerow listener'`.execute(shop.db)
      return rows.length === 1
    })
    await sendNews(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    await reached(shop, paymentId, 'Success')
  })
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
