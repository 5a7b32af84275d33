import { expectProblem } from '@hedgerow/testing/problems'
import { fewOrAll } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { BY_CALLBACK_ALONE, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import {
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { type RefundNotice, refundAtGateway, refundsOf, sendRefundUpdate } from '#testing/refunds.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const wireId = (id: string | undefined) => (id ?? '').replaceAll('-', '')

const anOpenPayment = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  return paymentId
}

const succeed = (paymentId: string) =>
  sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })

/** Paid, as far as the shop knows. */
const paid = async () => {
  const paymentId = await anOpenPayment()
  await succeed(paymentId)
  return paymentId
}

/** A refund that waits, because the gateway has not got it yet. */
const aWaitingRefund = async (paymentId: string, amountMinor?: number) => {
  await switchFaults(shop, { failCalls: true })
  await requestRefund(shop, { paymentId, amountMinor })
  await until(() =>
    shop.gateCalls.some(
      ({ path, body }) => path.endsWith('/refund') && body.general.payment_id === paymentId,
    ),
  )
  await switchFaults(shop, { failCalls: 0 })
  return refundsOf(shop, paymentId)
}

const send = (notice: RefundNotice) => sendRefundUpdate(shop, notice)

describe('an update of a refund', () => {
  test('that was made at the gateway itself are taken in, once', async () => {
    const { paymentId } = await aPurchase(shop)
    expect(await refundAtGateway(shop, paymentId, { amount: 500, currency: 'EUR' })).toBe(200)
    await until(async () => (await paymentRow(shop, paymentId)).refunded_minor === 500)
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { amount_minor: 500, reason: 'at-the-gateway', status: 'Success' },
    ])
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test.each(['merchant', 'general-signature', 'terminal'] as const)(
    'are understood in the %s format, declined ones too',
    async (callbackFormat) => {
      const own = await startTestShop()
      await switchFaults(own, { ...BY_CALLBACK_ALONE, callbackFormat })
      const { paymentId } = await aPurchase(own)
      await refundAtGateway(own, paymentId, { amount: 500, currency: 'EUR' })
      await until(async () => (await paymentRow(own, paymentId)).refunded_minor === 500)
      await requestRefund(own, { paymentId, amountMinor: 413 })
      await until(async () => (await refundsOf(own, paymentId)).at(-1)?.status === 'Decline')
      await requestRefund(own, { paymentId })
      await until(async () => (await paymentRow(own, paymentId)).refunded_minor === 3000)
    },
  )

  test('that come before those of the success are asked for again, and not lost', async () => {
    const paymentId = await anOpenPayment()
    const notice = { paymentId, amountMinor: 1000, left: 2000 }
    expectProblem(await send(notice), 503)
    expect(await statusOf(shop, paymentId)).toBe('awaiting 3ds result')
    await succeed(paymentId)
    expect((await send(notice)).status).toBe(200)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
  })

  test('that repeat each other count once', async () => {
    const paymentId = await paid()
    const notice = { paymentId, amountMinor: 1000, left: 2000 }
    const replies = await Promise.all([
      send(notice),
      send(notice),
      send(notice),
      send({ ...notice, requestId: 'other' }),
    ])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test('that come before the answer of the call are those of the refund under way', async () => {
    const paymentId = await paid()
    await aWaitingRefund(paymentId, 1000)
    await send({ paymentId, amountMinor: 1000, left: 2000 })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Success', reason: 'operator' }])
  })

  test('of another refund of the same sum do not pass for ours, where the gateway repeats our name', async () => {
    const paymentId = await paid()
    const [ours] = await aWaitingRefund(paymentId, 1000)
    await send({ paymentId, amountMinor: 1000, left: 2000, refundId: 'somebody else’s', operationId: 7 })
    expect((await refundsOf(shop, paymentId)).map(({ status }) => status).toSorted()).toEqual([
      'Pending',
      'Success',
    ])
    await send({ paymentId, amountMinor: 1000, left: 1000, refundId: wireId(ours?.id), operationId: 8 })
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(2000)
  })

  test('say what really went back: all of it is less after a refund that we had not heard of', async () => {
    const paymentId = await paid()
    const [ours] = await aWaitingRefund(paymentId)
    await send({ paymentId, amountMinor: 1000, left: 2000, refundId: 'another', operationId: 7 })
    await send({ paymentId, amountMinor: 2000, left: 0, refundId: wireId(ours?.id), operationId: 8 })
    const refunds = await refundsOf(shop, paymentId)
    expect(refunds.map(({ amount_minor }) => amount_minor).toSorted()).toEqual([1000, 2000])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
    for (const { expires_at } of await connectionsOf(shop, paymentId))
      expect(expires_at?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('of a success after a decline are believed, because money has moved', async () => {
    const paymentId = await paid()
    const [ours] = await aWaitingRefund(paymentId, 1000)
    const notice = { paymentId, amountMinor: 1000, refundId: wireId(ours?.id) }
    await send({ ...notice, left: 3000, status: 'decline', operationId: 7 })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Decline', amount_minor: 1000 }])
    await send({ ...notice, left: 2000, operationId: 8 })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Success' }])
    await send({ ...notice, left: 3000, status: 'decline', operationId: 9 })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Success' }])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
  })

  test('of a success after a decline are believed of the very operation too, once', async () => {
    const paymentId = await paid()
    const [ours] = await aWaitingRefund(paymentId, 1000)
    const named = { paymentId, amountMinor: 1000, refundId: wireId(ours?.id), operationId: 7 }
    await send({ ...named, left: 3000, status: 'decline' })
    const nameless = { paymentId, amountMinor: 1000, operationId: 7, left: 2000 }
    await Promise.all([send({ ...named, left: 2000 }), send(nameless)])
    await send({ ...named, left: 3000, status: 'decline' })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Success', amount_minor: 1000 }])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
  })

  test('without a sum count for what was asked for', async () => {
    const paymentId = await paid()
    const [ours] = await aWaitingRefund(paymentId, 1000)
    await send({ paymentId, amountMinor: undefined, left: 2000, refundId: wireId(ours?.id) })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Success', amount_minor: 1000 }])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
    expect((await connectionsOf(shop, paymentId)).every(({ removed_at }) => removed_at === null)).toBe(true)
  })

  test.each([
    ['in another currency', { amountMinor: 1000, left: 2000, currency: 'GBP' }, 400],
    ['of more than was paid', { amountMinor: 3001, left: 0 }, 200],
    ['that failed, of nothing that we asked for', { amountMinor: 10, left: 3000, status: 'decline' }, 200],
  ] as const)('%s change nothing', async (_, notice, status) => {
    const paymentId = await paid()
    expect((await send({ paymentId, ...notice })).status).toBe(status)
    expect(await refundsOf(shop, paymentId)).toEqual([])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(0)
  })

  test('of a payment that was never started are refused', async () => {
    expectProblem(await send({ paymentId: '0'.repeat(32), amountMinor: 1, left: 0 }), 404)
  })
})

test('updates of sale and refunds end in the same state, in whatever order and number they come', async () => {
  const notice = [
    { kind: 'sale', status: 'awaiting 3ds result' },
    { kind: 'sale', status: 'processing' },
    { kind: 'sale', status: 'success' },
    { kind: 'refund', operationId: 11, amountMinor: 1000 },
    { kind: 'refund', operationId: 12, amountMinor: 500 },
    { kind: 'refund', operationId: 13, amountMinor: 700, status: 'decline' },
  ] as const
  const order = fc
    .shuffledSubarray(
      notice.flatMap((one) => [one, one]),
      { minLength: notice.length * 2 },
    )
    .filter((series) => series.length > 0)
  const tell = (paymentId: string, one: (typeof notice)[number]) => {
    if (one.kind === 'refund') return send({ paymentId, left: 100, ...one })
    const more =
      one.status === 'awaiting 3ds result'
        ? { acs: { acs_url: 'https://acs.example/', pa_req: 'x', md: 'y' } }
        : {}
    return sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: one.status, more })
  }
  await fc.assert(
    fc.asyncProperty(order, async (series) => {
      const paymentId = await anOpenPayment()
      // What is not taken is sent again, as the gateway does.
      let waiting = [...series]
      for (let round = 0; waiting.length > 0; round++) {
        expect(round).toBeLessThan(3)
        const refused = []
        for (const one of waiting) {
          const { status } = await tell(paymentId, one)
          expect([200, 503]).toContain(status)
          if (status === 503) refused.push(one)
        }
        waiting = refused
      }
      expect(await paymentRow(shop, paymentId)).toMatchObject({ status: 'Success', refunded_minor: 1500 })
      expect(await refundsOf(shop, paymentId)).toHaveLength(2)
      expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    }),
    { numRuns: fewOrAll(2, 8) },
  )
})

test('a payment of which no update but a refund’s comes ends as the gateway has it', async () => {
  const own = await startTestShop()
  await switchFaults(own, { dropCallbacks: true })
  const customer = await aCustomer(own)
  const paymentId = await startPayment(own, customer, await anOrder(own, customer))
  await until(async () => (await refundAtGateway(own, paymentId)) === 200)
  await sendRefundUpdate(own, { paymentId, amountMinor: 3000, left: 0 })
  await reached(own, paymentId, 'Success')
  await until(async () => (await paymentRow(own, paymentId)).refunded_minor === 3000)
  const made = await connectionsOf(own, paymentId)
  expect(made.filter(({ expires_at }) => !expires_at || expires_at > new Date())).toEqual([])
})
