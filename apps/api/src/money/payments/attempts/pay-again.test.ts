import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, listBooks, sendUpdate } from '#testing/gateway.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, startBy } from '#testing/payment-methods.ts'
import {
  answerChallenge,
  CARDS,
  challengeOf,
  connectionsOf,
  pay,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** An order of €30.00 with an attempt that waits for the customer. */
const leftAtTheBank = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, first)
  return { customer, order, first }
}

const isAbandoned = async (id: string) => (await paymentRow(shop, id)).abandoned_at !== null

const refundsOf = (paymentId: string) =>
  shop.db.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId).execute()

const update = (paymentId: string, status: string) =>
  sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status })

describe('an order that was declined', () => {
  test('is paid another way, by an attempt of its own', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const first = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    const second = await startBy(payByBank, shop, customer, order, { bankId: BANKS.inGermany })
    await reached(shop, second, 'awaiting redirect result')
    await answerElsewhere(shop, second)
    await reached(shop, second, 'Success')
    expect(second).not.toBe(first)
    expect(await connectionsOf(shop, second)).toHaveLength(3)
    const books = (await listBooks(shop)).filter(({ id }) => [first, second].includes(id))
    expect(books.map(({ settled }) => settled).toSorted()).toEqual([0, 3000])
  })
})

test('a success that comes after the order has expired buys it once', async () => {
  const { order, first } = await leftAtTheBank()
  await shop.db
    .updateTable('orders')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', order.orderId)
    .execute()
  for (let times = 0; times < 2; times++) expect((await update(first, 'success')).status).toBe(200)
  await reached(shop, first, 'Success')
  expect([(await connectionsOf(shop, first)).length, await refundsOf(first)]).toEqual([3, []])
})

describe('an attempt that the customer has left', () => {
  test('is out of the way of the next, which pays and delivers once', async () => {
    const { customer, order, first } = await leftAtTheBank()
    expect(expectProblem(await pay(shop, customer, order), 409).body.paymentId).toBe(first)
    const second = await startPayment(shop, customer, order, { instead: first })
    await reached(shop, second, 'Success')
    expect(await isAbandoned(first)).toBe(true)
    const history = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(history.body.map(({ isLeft }: { isLeft?: true }) => isLeft)).toEqual([undefined, true])
    await update(first, 'decline')
    const { body } = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    expect(body.status).toBe('Completed')
    expect([(await connectionsOf(shop, second)).length, await refundsOf(second)]).toEqual([3, []])
  })

  test('and is paid all the same is paid back, once, and that is mailed', async () => {
    const { customer, order, first } = await leftAtTheBank()
    const second = await startPayment(shop, customer, order, { instead: first })
    await reached(shop, second, 'Success')
    await answerChallenge(shop, first)
    await reached(shop, first, 'Success')
    await until(async () => (await refundsOf(first))[0]?.status === 'Success')
    expect(await refundsOf(first)).toMatchObject([{ amount_minor: 3000, reason: 'paid-twice' }])
    expect(await refundsOf(second)).toEqual([])
    expect(await bookOf(shop, first)).toMatchObject({ settled: 3000, refunded: 3000 })
    expect(await bookOf(shop, second)).toMatchObject({ settled: 3000, refunded: 0 })
    expect([await connectionsOf(shop, first), (await connectionsOf(shop, second)).length]).toEqual([[], 3])
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded')
    expect(mail.subject).toBe('We have refunded €30.00')
    expect(mail.text).toContain('The order had already been paid, so this payment was one too many.')
    expect(mail.text).not.toContain('have ended')
    await queueIsEmpty(shop)
    const asked = shop.gateCalls.filter(
      ({ path, body }) => path.endsWith('/refund') && body.general.payment_id === first,
    )
    expect(asked).toHaveLength(1)
  })

  test('and is paid first leaves the later one to be paid back', async () => {
    const { customer, order, first } = await leftAtTheBank()
    const second = await startPayment(shop, customer, order, { pan: CARDS.challenged, instead: first })
    await challengeOf(shop, second)
    await Promise.all([update(first, 'success'), update(second, 'success')])
    const rows = await Promise.all([paymentRow(shop, first), paymentRow(shop, second)])
    expect(rows.map(({ refund_due }) => refund_due).toSorted()).toEqual([false, true])
    const made = [...(await connectionsOf(shop, first)), ...(await connectionsOf(shop, second))]
    expect(made).toHaveLength(3)
  })

  test('does not make the order look declined while the next is under way', async () => {
    const { customer, order, first } = await leftAtTheBank()
    await startPayment(shop, customer, order, { pan: CARDS.challenged, instead: first })
    await update(first, 'decline')
    await reached(shop, first, 'Decline')
    const { body } = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    expect(body.status).toBe('New')
  })

  test('is left for one other attempt, when two presses come at once', async () => {
    const { customer, order, first } = await leftAtTheBank()
    const again = () => pay(shop, customer, order, { pan: CARDS.challenged, instead: first })
    const replies = await Promise.all([again(), again(), again()])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(new Set(replies.map(({ body }) => body.paymentId)).size).toBe(1)
    expect(replies[0]?.body.paymentId).not.toBe(first)
  })

  test('of a plan makes way too', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('1 week')
    const first = await startSale(shop, customer, plan, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    expectProblem(await sale(shop, customer, plan), 409)
    const second = await startSale(shop, customer, plan, { instead: first })
    await reached(shop, second, 'Success')
    expect(await isAbandoned(first)).toBe(true)
  })
})

describe('an attempt is not left', () => {
  test('while the bank works on it', async () => {
    const { customer, order, first } = await leftAtTheBank()
    await sendUpdate(shop, {
      paymentId: first,
      amountMinor: 3000,
      currency: 'EUR',
      status: 'processing',
      at: new Date(Date.now() + 2000),
    })
    const reply = expectProblem(await pay(shop, customer, order, { instead: first }), 409)
    expect(reply.body.paymentId).toBe(first)
    expect(await isAbandoned(first)).toBe(false)
  })

  test('when nothing can be started in its place', async () => {
    const { customer, order, first } = await leftAtTheBank()
    expectProblem(await pay(shop, customer, order, { instead: first, total: 29.99 }), 422)
    expect(await isAbandoned(first)).toBe(false)
  })

  test('of another customer', async () => {
    const { order, first } = await leftAtTheBank()
    expectProblem(await pay(shop, await aCustomer(shop), order, { instead: first }), 404)
    expect(await isAbandoned(first)).toBe(false)
  })

  test('for another order of its own customer', async () => {
    const { customer, first } = await leftAtTheBank()
    const other = await anOrder(shop, customer)
    expect((await pay(shop, customer, other, { instead: first })).status).toBe(200)
    expect(await isAbandoned(first)).toBe(false)
  })

  test('when it has ended: the order is just paid again', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const first = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    await reached(shop, await startPayment(shop, customer, order, { instead: first }), 'Success')
    expect(await isAbandoned(first)).toBe(false)
    expectProblem(await pay(shop, customer, order, { instead: first }), 409)
  })

  test.each(['x', '', 7, '0'.repeat(31)])('by a name that is none: %j', async (instead) => {
    const { customer, order } = await leftAtTheBank()
    expectProblem(await pay(shop, customer, order, { instead }), 422)
  })
})
