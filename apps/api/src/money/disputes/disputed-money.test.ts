import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { loseDispute, openDispute, winDispute } from '#money/disputes/disputes.service.ts'
import { deliverWaiting } from '#money/payments/updates/apply-update.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { cancel, historyOf, preview } from '#testing/cancellations.ts'
import { openedDispute } from '#testing/disputes.ts'
import { bookOf, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aPurchase, connectionsOf, paymentRow } from '#testing/payments.ts'
import { refundsOf, sendRefundUpdate } from '#testing/refunds.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const open = async (where: Pick<TestShop, 'db'>, paymentId: string, amountMinor?: number) => {
  const answer = await openDispute(where, { paymentId, amountMinor })
  if (answer.kind === 'refused') throw new Error(answer.why.code)
  return answer.dispute.id
}

const lose = (where: Pick<TestShop, 'db'>, id: string) => loseDispute(where, id, { vat: 'credit-note' })

describe('while a payment is disputed', () => {
  test('no refund of that money is taken, and one of the rest is', async () => {
    const { paymentId } = await aPurchase(shop)
    const id = await open(shop, paymentId, 2000)
    for (const amountMinor of [undefined, 3000, 1001])
      expect(await requestRefund(shop, { paymentId, amountMinor })).toEqual({
        kind: 'refused',
        why: { code: 'disputed' },
      })
    expect((await requestRefund(shop, { paymentId, amountMinor: 1000 })).kind).toBe('recorded')
    await queueIsEmpty(shop)
    await lose(shop, id)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
    expect(await requestRefund(shop, { paymentId, amountMinor: 2000 })).toMatchObject({ kind: 'known' })
    expect(await requestRefund(shop, { paymentId, amountMinor: 2000, isAgain: true })).toEqual({
      kind: 'refused',
      why: { code: 'all-back' },
    })
    expect(await bookOf(shop, paymentId)).toMatchObject({ refunded: 1000 })
  })

  test('a refund and a dispute that come at once do not both have the money', async () => {
    const { paymentId } = await aPurchase(shop)
    await switchFaults(shop, { failCalls: true })
    const [, dispute] = await Promise.all([
      requestRefund(shop, { paymentId }),
      openDispute(shop, { paymentId }),
    ])
    await switchFaults(shop, { failCalls: 0 })
    expect(dispute.kind).toBe('recorded')
    await until(async () => {
      await hurry(shop, 'send-refund')
      return (await refundsOf(shop, paymentId)).every(({ status }) => status !== 'Pending')
    })
    const { refunded_minor, disputed_minor } = await paymentRow(shop, paymentId)
    // Where the gateway was faster, it says so, and the answer to the bank is that refund.
    expect([refunded_minor, disputed_minor]).toEqual([expect.any(Number), 3000])
    if (refunded_minor === 0) expect(await bookOf(shop, paymentId)).toMatchObject({ refunded: 0 })
  })

  test('the customer sees why it cannot be cancelled, and can cancel once it is won', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const id = await open(shop, paymentId)
    for (const reply of [await preview(shop, customer, paymentId), await cancel(shop, customer, paymentId)])
      expect(expectProblem(reply, 409).body.detail).toMatch(/^Your bank has asked us for this money back/)
    expect((await historyOf(shop, customer.token))[0]).toMatchObject({
      status: 'Success',
      disputed: { total: 30, currency: 'EUR' },
    })
    expect((await historyOf(shop, customer.token))[0].cancellableUntil).toBeUndefined()
    await winDispute(shop, id)
    const [won] = await historyOf(shop, customer.token)
    expect(won.disputed).toBeUndefined()
    expect(won.cancellableUntil).toEqual(expect.any(String))
    expect((await cancel(shop, customer, paymentId)).status).toBe(200)
  })

  test('nothing is delivered that waits for room, and nothing goes back for it; then one of the two', async () => {
    const [won, lost] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    for (const { paymentId } of [won, lost]) {
      await shop.db.deleteFrom('connections').where('payment_id', '=', paymentId).execute()
      await shop.db.updateTable('payments').set({ delivered_at: null }).where('id', '=', paymentId).execute()
    }
    const ids = [await open(shop, won.paymentId), await open(shop, lost.paymentId)] as const
    // An account that is gone, as before the dispute came.
    await shop.db
      .updateTable('payments')
      .set({ customer_id: null })
      .where('id', '=', lost.paymentId)
      .execute()
    for (const { paymentId } of [won, lost]) await deliverWaiting({ db: shop.db } as never, paymentId)
    expect(await connectionsOf(shop, won.paymentId)).toEqual([])
    expect(await refundsOf(shop, lost.paymentId)).toEqual([])
    await winDispute(shop, ids[0])
    await until(async () => {
      await hurry(shop, 'deliver-payment')
      return (await paymentRow(shop, won.paymentId)).delivered_at !== null
    })
    await lose(shop, ids[1])
    await hurry(shop, 'deliver-payment')
    await queueIsEmpty(shop)
    expect(await refundsOf(shop, lost.paymentId)).toMatchObject([{ reason: 'dispute', status: 'Success' }])
  })
})

/** Asked for, and not sent: the gateway is away. */
const aWaitingRefund = async (own: TestShop, paymentId: string) => {
  await switchFaults(own, { failCalls: true })
  await requestRefund(own, { paymentId })
  await until(() => own.gateCalls.some(({ path }) => path.endsWith('/refund')))
}

describe('a refund that was asked for before the dispute', () => {
  test('is not sent any more; it is owed again if the dispute is won', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await aWaitingRefund(own, paymentId)
    const id = await open(own, paymentId)
    await switchFaults(own, { failCalls: 0 })
    await until(async () => {
      await hurry(own, 'send-refund')
      return (await refundsOf(own, paymentId))[0]?.status === 'Decline'
    })
    expect(await bookOf(own, paymentId)).toMatchObject({ refunded: 0 })
    expect(await resolveRefund(own, { paymentId, verdict: 'sent' })).toEqual({
      kind: 'refused',
      why: { code: 'disputed' },
    })
    await winDispute(own, id)
    expect((await requestRefund(own, { paymentId })).kind).toBe('recorded')
    await until(async () => (await paymentRow(own, paymentId)).refunded_minor === 3000)
  })

  test('is owed no more once the dispute is lost', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await aWaitingRefund(own, paymentId)
    const { id } = await openedDispute(own, paymentId)
    await switchFaults(own, { failCalls: 0 })
    await until(async () => {
      await hurry(own, 'send-refund')
      return (await refundsOf(own, paymentId))[0]?.status === 'Decline'
    })
    await lose(own, id)
    expect(await refundsOf(own, paymentId)).toMatchObject([
      { status: 'Decline', closed_at: expect.any(Date) },
      { status: 'Success', reason: 'dispute' },
    ])
  })

  test('and that the gateway has made all the same is counted, and mailed if the dispute takes it once more', async () => {
    const { paymentId } = await aPurchase(shop)
    const id = await open(shop, paymentId)
    const notice = { paymentId, amountMinor: 3000, left: 0, operationId: 77, requestId: 'request-77' }
    const replies = await Promise.all([sendRefundUpdate(shop, notice), sendRefundUpdate(shop, notice)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 3000, disputed_minor: 3000 })
    await lose(shop, id)
    // As often as it moved.
    expect((await refundsOf(shop, paymentId)).map(({ reason }) => reason).toSorted()).toEqual([
      'at-the-gateway',
      'dispute',
    ])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
  })
})
