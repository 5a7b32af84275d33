import { mailbox } from '@hedgerow/testing/mailbox'
import { fewOrAll } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { BANKS, payByBank, startBy } from '#testing/payment-methods.ts'
import { CARDS, challengeOf, connectionsOf, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** A payment of €30.00 of which only callbacks will tell. */
const anOpenPayment = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  return { customer, order, paymentId }
}

/** A success, of which another sum is paid than was asked for. */
const paid = (paymentId: string, amount: number, currency = 'EUR', status = 'success') => {
  const at = new Date()
  const date = `${at.toISOString().slice(0, 19)}+0000`
  const payment = { id: paymentId, type: 'purchase', status, date, sum: { amount, currency } }
  return sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status, at, more: { payment } })
}

const refundCalls = (where: TestShop, paymentId: string) =>
  where.gateCalls.filter(
    ({ path, body }) => path.endsWith('/refund') && body.general.payment_id === paymentId,
  )

const PARTIAL = '5126160000356675'

describe('a success of another sum', () => {
  test.each([
    ['a part of it', 1200, 'EUR', '€12.00'],
    ['more', 3001, 'EUR', '€30.01'],
    ['another currency', 3000, 'USD', '30.00 USD'],
    ['a currency without decimals', 4800, 'JPY', '4800 JPY'],
    ['a part, by its own name', 1200, 'EUR', '€12.00', 'partially paid'],
  ])(
    '%s buys nothing, is taken in as what it is, and all of it is sent back once',
    async (_, amount, currency, words, status = 'success') => {
      const { customer, order, paymentId } = await anOpenPayment()
      const replies = await Promise.all([
        paid(paymentId, amount, currency, status),
        paid(paymentId, amount, currency, status),
      ])
      expect(replies.map((reply) => reply.status)).toEqual([200, 200])
      expect((await paid(paymentId, amount, currency, status)).status).toBe(200)
      expect(await paymentRow(shop, paymentId)).toMatchObject({
        status: 'Error',
        received_minor: amount,
        received_currency: currency,
        refund_due: true,
      })
      expect(await connectionsOf(shop, paymentId)).toEqual([])
      expect(await refundsOf(shop, paymentId)).toMatchObject([{ reason: 'other-sum', amount_minor: amount }])
      await until(() => refundCalls(shop, paymentId).length > 0)
      expect(refundCalls(shop, paymentId).map(({ body }) => body.payment.amount)).toEqual([undefined])

      const { body } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
      expect(body.status).toBe('Error')
      expect(JSON.parse(body.metadata)).toMatchObject({
        isCharged: true,
        reason: `${words} arrived instead of €30.00. It bought nothing, and goes back the way it came.`,
      })
      const history = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
      expect(history.body[0]).toMatchObject({ received: { currency }, refunds: [{ currency }] })
      const { json } = await runOps(opsSettings(shop), 'payment', 'list', '--only', 'other-sum', '--json')
      expect(json.rows.map(({ id }: { id: string }) => id)).toContain(paymentId)

      const again = await startPayment(shop, customer, order)
      await reached(shop, again, 'Success')
      expect(await connectionsOf(shop, again)).toHaveLength(3)
    },
  )

  test('after a decline buys nothing either', async () => {
    const { paymentId } = await anOpenPayment()
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline' })
    await Promise.all([paid(paymentId, 1200), paid(paymentId, 1200)])
    expect(await paymentRow(shop, paymentId)).toMatchObject({ status: 'Error', received_minor: 1200 })
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test('is shown in the operator’s overview', async () => {
    const { paymentId } = await anOpenPayment()
    await paid(paymentId, 1200)
    const { out } = await runOps(opsSettings(shop), 'overview')
    expect(out).toMatch(/PaidOtherSum +\d+ payments? brought .* payment list --only other-sum/)
    const shown = await runOps(opsSettings(shop), 'payment', 'show', paymentId)
    expect(shown.out).toMatch(/Received +€12\.00\n/)
  })

  test('that is corrected upwards delivers nothing, and leaves the rest to the operator', async () => {
    const own = shop
    const { paymentId } = await anOpenPayment()
    await paid(paymentId, 1200)
    await paid(paymentId, 3000)
    expect(await connectionsOf(own, paymentId)).toEqual([])
    expect(await paymentRow(own, paymentId)).toMatchObject({ status: 'Error', received_minor: 3000 })
    await paid(paymentId, 900)
    expect(await paymentRow(own, paymentId)).toMatchObject({ status: 'Error', received_minor: 3000 })
    expect(await refundsOf(own, paymentId)).toHaveLength(1)
  })

  test('is mailed to a customer who has left the page', async () => {
    const { customer, paymentId } = await anOpenPayment()
    await paid(paymentId, 1200)
    await hurry(shop, 'mail-declined')
    const mail = await mailbox(shop).latest(customer.email, 'Your payment did not go through')
    expect(mail.text).toContain('€12.00 arrived instead of €30.00. It bought nothing, and goes back')
    expect(mail.text).not.toContain('not charged')
  })

  test('never buys anything, and never goes back twice, in whatever order the updates come', async () => {
    const word = fc.constantFrom(
      [3000, 'success'],
      [1200, 'success'],
      [5000, 'success'],
      [0, 'decline'],
      [0, 'expired'],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
        const { paymentId } = await anOpenPayment()
        for (const [amount, status] of words as [number, string][])
          await Promise.all([paid(paymentId, amount, 'EUR', status), paid(paymentId, amount, 'EUR', status)])
        const [first] = (words as [number, string][]).filter(([, status]) => status === 'success')
        const isBought = first?.[0] === 3000
        const row = await paymentRow(shop, paymentId)
        expect(await connectionsOf(shop, paymentId)).toHaveLength(isBought ? 3 : 0)
        expect(row.received_minor === null).toBe(isBought || !first)
        expect(await refundsOf(shop, paymentId)).toHaveLength(first && !isBought ? 1 : 0)
        if (row.received_minor !== null) {
          const successes = (words as [number, string][]).filter(([, status]) => status === 'success')
          expect(row.received_minor).toBe(Math.max(...successes.map(([amount]) => amount)))
        }
      }),
      { numRuns: fewOrAll(3, 12) },
    )
  })

  test('by open banking is on the operator’s list, to be sent by hand', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startBy(payByBank, shop, customer, order, { bankId: BANKS.inGermany })
    await reached(shop, paymentId, 'awaiting redirect result')
    await paid(paymentId, 2999)
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ is_by_hand: true, status: 'Pending' }])
    expect(await resolveRefund(shop, { paymentId, verdict: 'sent' })).toMatchObject({ kind: 'done' })
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2999 })
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded €29.99')
    expect(mail.text).toContain('It was not the price of the order')
  })
})

test('a partly refunded payment of which only one operation is reported is asked about first', async () => {
  const { paymentId } = await anOpenPayment()
  expect((await paid(paymentId, 2000, 'EUR', 'partially refunded')).status).toBe(200)
  const at = new Date(Date.now() + 5000)
  const operation = { type: 'sale', status: 'success', sum_initial: { amount: 3000, currency: 'EUR' } }
  const payment = { id: paymentId, status: 'partially refunded', sum: { amount: 2000, currency: 'EUR' } }
  const more = { payment, operation }
  const reply = await sendUpdate(shop, { paymentId, amountMinor: 0, currency: 'EUR', status: '', at, more })
  expect(reply.status).toBe(503)
  expect(await connectionsOf(shop, paymentId)).toEqual([])
})

describe('at the gateway itself', () => {
  test('a partial authorisation goes back whole, by the books of both', async () => {
    const own = await startTestShop()
    await switchFaults(own, { dropCallbacks: 0 })
    const customer = await aCustomer(own)
    const order = await anOrder(own, customer, { days: 200 })
    const minor = Math.round(order.total * 100)
    expect(minor).toBeGreaterThan(12_000)
    const paymentId = await startPayment(own, customer, order, { pan: PARTIAL })
    await reached(own, paymentId, 'Error')
    const { received_minor: came = 0 } = await paymentRow(own, paymentId)
    expect([(came ?? 0) > 0, (came ?? 0) < minor]).toEqual([true, true])
    await until(async () => (await refundsOf(own, paymentId))[0]?.status === 'Success')
    await queueIsEmpty(own)
    expect(await bookOf(own, paymentId)).toMatchObject({ settled: came, refunded: came, remaining: 0 })
    expect([await connectionsOf(own, paymentId), refundCalls(own, paymentId).length]).toEqual([[], 1])
    expect(await paymentRow(own, paymentId)).toMatchObject({ refunded_minor: came, is_invoiced: false })
    const { code, out } = await runOps(opsSettings(own), 'reconcile')
    expect([code, out.split('\n')[0]]).toEqual([0, '1 payment compared, no difference.'])
    const overview = await runOps(opsSettings(own), 'overview', '--json')
    expect(overview.json.alerts).toContainEqual(expect.objectContaining({ name: 'PaidOtherSum', count: 1 }))
    expect(JSON.stringify(overview.json.sales ?? [])).not.toContain('"count":1')
    const mail = await mailbox(own).latest(customer.email, 'We have refunded')
    expect(mail.text).toContain('so it bought nothing')
  })

  test('other sums of every kind end with nothing kept, seen by reconcile until then', async () => {
    const own = await startTestShop()
    await switchFaults(own, { payOtherSums: 1, dropCallbacks: true, seed: 'hedge' })
    const customer = await aCustomer(own)
    const start = async () => startPayment(own, customer, await anOrder(own, customer))
    const ids = await Promise.all(Array.from({ length: 6 }, start))
    await own.db
      .updateTable('payments')
      .set({ next_check_at: new Date(Date.now() + 86_400_000) })
      .execute()
    await until(async () => (await bookOf(own, ids[5] ?? ''))?.status === 'success')
    const before = await runOps(opsSettings(own), 'reconcile', '--json')
    expect(before.json.differences.map(({ what }: { what: string }) => what)).toContain('sum')
    await switchFaults(own, { dropCallbacks: false })
    await until(async () => {
      await own.db
        .updateTable('payments')
        .set({ next_check_at: new Date(0) })
        .where('refunded_minor', '=', 0)
        .execute()
      await hurry(own, 'check-payments')
      const books = await Promise.all(ids.map((id) => bookOf(own, id)))
      const rows = await Promise.all(ids.map((id) => paymentRow(own, id)))
      return (
        books.every((book) => book?.remaining === 0) &&
        rows.every(({ refunded_minor, received_minor }) => refunded_minor === received_minor)
      )
    })
    for (const id of ids) {
      expect(await connectionsOf(own, id)).toEqual([])
      expect(await refundsOf(own, id)).toHaveLength(1)
    }
    expect((await runOps(opsSettings(own), 'reconcile')).code).toBe(0)
  })
})
