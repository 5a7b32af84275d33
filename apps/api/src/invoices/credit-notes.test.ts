import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { issueDueCreditNotes } from '#invoices/issue-credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { answerChallenge, aPurchase, CARDS, challengeOf, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const notesOf = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db
    .selectFrom('credit_notes')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('year')
    .orderBy('number')
    .execute()

const refund = async (shop: TestShop, paymentId: string, ...how: string[]) => {
  const done = (await refundsOf(shop, paymentId)).filter(({ status }) => status === 'Success').length
  const { code, err } = await runOps(opsSettings(shop), 'refund', paymentId, ...how, '--yes')
  expect(err).toBe('')
  expect(code).toBe(0)
  await until(
    async () => (await refundsOf(shop, paymentId)).filter(({ status }) => status === 'Success').length > done,
  )
}

const noted = (shop: TestShop, paymentId: string, count: number) =>
  until(async () => {
    await hurry(shop, 'issue-invoices')
    const notes = await notesOf(shop, paymentId)
    return notes.length === count && notes
  })

test('parts of a payment that go back have a credit note each, which add up to the invoice', async () => {
  const shop = await startTestShop()
  const { paymentId, order } = await aPurchase(shop)
  await refund(shop, paymentId, '3.33')
  await refund(shop, paymentId, '1.11')
  await refund(shop, paymentId)
  const notes = await noted(shop, paymentId, 3)
  expect(notes.map(({ number }) => number)).toEqual([1, 2, 3])
  const { snapshot } = await shop.db
    .selectFrom('invoices')
    .select('snapshot')
    .where('order_id', '=', order.orderId)
    .executeTakeFirstOrThrow()
  for (const sum of ['totalMinor', 'netMinor', 'vatMinor'] as const)
    expect(notes.reduce((all, note) => all + note.snapshot[sum], 0)).toBe(snapshot[sum])
  // A second process that issues them, too, finds nothing left.
  await Promise.all([issueDueCreditNotes(shop), issueDueCreditNotes(shop)])
  expect(await notesOf(shop, paymentId)).toHaveLength(3)
  await expect(shop.db.updateTable('credit_notes').set({ year: 1 }).execute()).rejects.toThrow(
    'a credit note that was issued is never changed',
  )
})

test('money that came twice for an order, and went back, takes nothing off its invoice', async () => {
  const shop = await startTestShop()
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, first)
  const second = await startPayment(shop, customer, order, { instead: first })
  await reached(shop, second, 'Success')
  await answerChallenge(shop, first)
  await until(async () => (await refundsOf(shop, first))[0]?.status === 'Success')
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return (await refundsOf(shop, first))[0]?.is_noted
  })
  expect(await shop.db.selectFrom('credit_notes').selectAll().execute()).toEqual([])
  await refund(shop, second)
  expect((await noted(shop, second, 1))[0]?.number).toBe(1)
})
