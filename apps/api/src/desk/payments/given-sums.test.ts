import { randomUUID } from 'node:crypto'
import { ACTS_A_DAY } from '@hedgerow/domain/operator-sums'
import { LARGE_REFUND_MINOR, SECOND_PERSON_MINOR } from '@hedgerow/domain/running-settings'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { letDaysPass } from '#testing/cancellations.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { anUnknownPayment } from '#testing/lost-payments.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'

const { shop, ask } = await consoleOfFile()

/** 365.00: more than support may give back. */
const LARGE = { days: 365, connections: 3 }
/** 49.00: just below it. */
const SMALL = { days: 49, connections: 3 }

const refund = (operator: TestOperator, paymentId: string, amountMinor?: number) =>
  ask(operator, 'POST', `/api/v1/payments/${paymentId}/refund`, { body: { amountMinor } })
const cancel = (operator: TestOperator, paymentId: string, body: object = {}) =>
  ask(operator, 'POST', `/api/v1/payments/${paymentId}/cancellation`, { body })

const isBack = (paymentId: string) =>
  until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))

/** As if an operator had given so much within the day. */
const gave = ({ id }: TestOperator, amountMinor: number) =>
  shop.db
    .insertInto('operator_sums')
    .values({
      id: randomUUID(),
      operator_id: id,
      subject: 'f'.repeat(32),
      amount_minor: amountMinor,
      refund_id: null,
      confirmed_by: null,
    })
    .execute()

describe('what support may give back', () => {
  test('is the same by a refund and by cancelling', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, LARGE)
    expectProblem(await refund(support, paymentId), 403)
    expectProblem(await cancel(support, paymentId), 403)
    expect((await paymentRow(shop, paymentId)).cancelled_at).toBeNull()
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('holds for what is said of a refund that is owed, too', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, LARGE)
    const id = randomUUID()
    await sql`insert into refunds (id, payment_id, amount_minor, reason, is_by_hand, status)
      values (${id}, ${paymentId}, 36500, 'cancelled', true, 'Pending')`.execute(shop.db)
    for (const as of ['dropped', 'sent']) {
      const path = `/api/v1/payments/${paymentId}/refunds/${id}`
      expectProblem(await ask(support, 'POST', path, { body: { as } }), 403)
    }
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Pending' }])
  })

  test('counts a refund and the cancellation of one payment together', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, { days: 60, connections: 3 })
    expect((await refund(support, paymentId, 1_100)).status).toBe(200)
    await isBack(paymentId)
    expectProblem(await cancel(support, paymentId), 403)
    expect((await cancel(await anOperator(shop.db, 'manager'), paymentId)).status).toBe(200)
  })

  test('counts all payments of a customer, whoever gives them back', async () => {
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    const first = await aPurchase(shop)
    const second = await aPurchase(shop, {}, {}, first.customer)
    expect((await refund(one, first.paymentId)).status).toBe(200)
    expectProblem(await refund(other, second.paymentId), 403)
    expectProblem(await cancel(other, second.paymentId), 403)
    const left = LARGE_REFUND_MINOR - 3_000
    expect((await refund(other, second.paymentId, left)).status).toBe(200)
  })

  test('has an end within a day, over all customers', async () => {
    const support = await anOperator(shop.db, 'support')
    await gave(support, LARGE_REFUND_MINOR * ACTS_A_DAY - 4_900)
    const [one, other] = [await aPurchase(shop, SMALL), await aPurchase(shop, SMALL)]
    expect((await refund(support, one.paymentId)).status).toBe(200)
    expectProblem(await refund(support, other.paymentId, 1), 403)
    await shop.db
      .updateTable('operator_sums')
      .set({ at: sql`at - interval '25 hours'` } as never)
      .where('operator_id', '=', support.id)
      .execute()
    expect((await refund(support, other.paymentId, 1)).status).toBe(200)
  })

  test('is counted once where two browsers give it at once', async () => {
    const support = await anOperator(shop.db, 'support')
    await gave(support, LARGE_REFUND_MINOR * ACTS_A_DAY - 4_900)
    const bought = [await aPurchase(shop, SMALL), await aPurchase(shop, SMALL), await aPurchase(shop, SMALL)]
    const replies = await Promise.all(
      bought.map(({ paymentId }, at) => (at === 1 ? cancel(support, paymentId) : refund(support, paymentId))),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  })

  test('does not count what the gateway refused', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, SMALL)
    expect((await refund(support, paymentId, 4_000)).status).toBe(200)
    await isBack(paymentId)
    await sql`alter table refunds disable trigger user`.execute(shop.db)
    await shop.db
      .updateTable('refunds')
      .set({ status: 'Decline' })
      .where('payment_id', '=', paymentId)
      .execute()
    await sql`alter table refunds enable trigger user`.execute(shop.db)
    await sql`update payments set refunded_minor = 0 where id = ${paymentId}`.execute(shop.db)
    expect((await refund(support, paymentId, 4_900)).status).toBe(200)
  })
})

describe('a time before which nothing was used', () => {
  test('is taken from support where the customer had written by then, and else not', async () => {
    const support = await anOperator(shop.db, 'support')
    const { customer, paymentId } = await aPurchase(shop, { days: 10, connections: 3 })
    await letDaysPass(shop, customer, 9)
    const { ended_at } = await paymentRow(shop, paymentId)
    const paidAt = new Date(Number(ended_at) + 1_000).toISOString()
    for (const isLateAllowed of [false, true])
      expectProblem(await cancel(support, paymentId, { askedAt: paidAt, isLateAllowed }), 409)
    expect(await refundsOf(shop, paymentId)).toEqual([])
    const body = { id: randomUUID(), name: 'Ada', problem: 'Please cancel what I bought.' }
    expect((await shop.call('POST', '/api/v1/support', { token: customer.token, body })).status).toBeLessThan(
      300,
    )
    const { rows } = await sql<{
      at: Date
    }>`select conversation_messages.created_at as at from conversation_messages
      join conversations on conversations.id = conversation_id where customer_id = ${customer.id}`.execute(
      shop.db,
    )
    expectProblem(await cancel(support, paymentId, { askedAt: paidAt }), 409)
    const askedAt = rows[0]?.at.toISOString()
    const { body: done } = await cancel(support, paymentId, { askedAt })
    expect(done.isNew).toBe(true)
    const [given] = await refundsOf(shop, paymentId)
    expect(given?.amount_minor).toBeLessThan(200)
  })
})

test('a sum above the setting takes two, whoever gives it and however it is split', async () => {
  const finance = await anOperator(shop.db, 'finance')
  const first = await aPurchase(shop, LARGE)
  const second = await aPurchase(shop, LARGE, {}, first.customer)
  expect((await refund(finance, first.paymentId)).status).toBe(200)
  const left = SECOND_PERSON_MINOR - 36_500
  const refused = expectProblem(await refund(finance, second.paymentId, left + 1), 403)
  expect(refused.body.code).toBe('second-person')
  expect(await refundsOf(shop, second.paymentId)).toEqual([])
  expect((await refund(finance, second.paymentId, left)).status).toBe(200)
})

test('a payment that is settled as paid or adopted counts as given, and takes two above the setting', async () => {
  const finance = await anOperator(shop.db, 'finance')
  await gave(finance, SECOND_PERSON_MINOR * ACTS_A_DAY - 1)
  const { paymentId } = await aPurchase(shop)
  const settled = { path: `payments/${paymentId}/settlement`, body: { as: 'paid' } }
  const adopted = { path: `unknown-payments/${await anUnknownPayment(shop)}`, body: { kind: 'refund' } }
  for (const { path, body } of [settled, adopted]) {
    const reply = await ask(finance, 'POST', `/api/v1/${path}`, { body })
    expect(expectProblem(reply, 403).body.code).toBe('second-person')
  }
})
