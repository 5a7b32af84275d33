import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, challengeOf, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const history = (token?: string) => shop.call('GET', '/api/v1/payment/history', { token })

describe('GET /api/v1/payment/history', () => {
  test('tells when, what for, how much, by which card, and what became of it', async () => {
    const choice = { days: 7, connections: 5, currency: 'GBP' as const }
    const { customer, order, paymentId } = await aPurchase(shop, choice)
    const { status, body } = await history(customer.token)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        _id: paymentId,
        orderId: order.orderId,
        createdAt: expect.stringMatching(/Z$/),
        endedAt: expect.stringMatching(/Z$/),
        description: '7 days, 5 connections',
        total: 7.2,
        currency: { code: 'GBP', symbol: '£' },
        method: 'card',
        pan: '400000******0077',
        cardHolder: 'ADA LOVELACE',
        authCode: expect.stringMatching(/^\d{6}$/),
        statementDescriptor: 'HEDGEROW',
        status: 'Success',
        refunds: [],
        orderStatus: 'Completed',
        cancellableUntil: expect.stringMatching(/:59:59\.999Z$/),
      },
    ])
  })

  test('has every attempt, newest first, declined ones too', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const first = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    const [declined] = (await history(customer.token)).body
    expect(declined).toMatchObject({ _id: first, status: 'Decline', orderStatus: 'Rejected' })
    expect(declined).not.toHaveProperty('authCode')
    expect(declined).not.toHaveProperty('statementDescriptor')
    const second = await startPayment(shop, customer, order)
    await reached(shop, second, 'Success')
    const { body } = await history(customer.token)
    expect(body.map((item: { _id: string }) => item._id)).toEqual([second, first])
    expect(body.map((item: { orderStatus: string }) => item.orderStatus)).toEqual(['Completed', 'Completed'])
  })

  test('has what is under way, without an end', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    const [item] = (await history(customer.token)).body
    expect(item).toMatchObject({ _id: paymentId, status: 'awaiting 3ds result', orderStatus: 'New' })
    expect(item).not.toHaveProperty('endedAt')
    expect(item).not.toHaveProperty('refundDue')
  })

  test('says where money goes back, because the order was paid by another attempt', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const first = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    await reached(shop, await startPayment(shop, customer, order), 'Success')
    await sendUpdate(shop, { paymentId: first, amountMinor: 3000, currency: 'EUR', status: 'success' })
    await reached(shop, first, 'Success')
    const { body } = await history(customer.token)
    expect(body.map((item: { refundDue?: true }) => item.refundDue)).toEqual([undefined, true])
  })

  test("is no one else's", async () => {
    await aPurchase(shop)
    const other = await aCustomer(shop)
    expect((await history(other.token)).body).toEqual([])
  })

  test('is empty for who never paid', async () => {
    const customer = await aCustomer(shop)
    await anOrder(shop, customer)
    expect((await history(customer.token)).body).toEqual([])
  })

  test('is for customers who are logged in', async () => {
    expectProblem(await history(), 401)
    expectProblem(await history('x'.repeat(43)), 401)
  })
})

test('a payment is made in one of the three ways, and in no other', async () => {
  const { paymentId } = await aPurchase(shop)
  const change = sql`update payments set method = 'cheque' where id = ${paymentId}`.execute(shop.db)
  await expect(change).rejects.toThrow('payments_method_check')
})
