import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const payment = (...args: string[]) => runOps(opsSettings(shop), 'payment', ...args)

const invoiceOf = (orderId: string) =>
  until(() => shop.db.selectFrom('invoices').selectAll().where('order_id', '=', orderId).executeTakeFirst())

describe('ops payment', () => {
  test('tells how a payment stands, for people', async () => {
    const { paymentId, customer, order } = await aPurchase(shop)
    await invoiceOf(order.orderId)
    const { code, out } = await payment(paymentId)
    expect(code).toBe(0)
    expect(out).toMatch(
      new RegExp(`^Payment +${paymentId}\nStatus +Success\nMethod +Card\nCharged +€30\\.00\n`),
    )
    expect(out).toMatch(/Order +.*, Completed: 30 days, 3 connections\n/)
    expect(out).toContain(customer.email)
    expect(out).toMatch(/Delivered .*; 3 of 3 connections active\nInvoice +\d{4}-\d{6}\nRefunds +none\n$/)
  })

  test('tells the same to programs, and no more of the customer than who it is', async () => {
    const { paymentId, customer, order } = await aPurchase(shop)
    await invoiceOf(order.orderId)
    const { json, out } = await payment('show', paymentId, '--json')
    expect(json).toMatchObject({
      id: paymentId,
      status: 'Success',
      method: 'card',
      price: { amount: '30.00', currency: 'EUR' },
      charged: { amount: '30.00', currency: 'EUR' },
      refunded: { amount: '0.00', currency: 'EUR' },
      order: { id: order.orderId, status: 'Completed' },
      activeConnections: 3,
      invoice: expect.stringMatching(/^\d{4}-\d{6}$/),
      customer: { id: customer.id, email: customer.email },
      refunds: [],
    })
    expect(out).not.toMatch(/lovelace/i)
    expect(out).not.toContain('0077')
  })

  test('says of one that nobody made that there is none', async () => {
    const { code, err, out } = await payment('f'.repeat(32))
    expect(err).toBe(`There is no payment ${'f'.repeat(32)}.\n`)
    expect(out).toBe('')
    expect(code).toBe(1)
  })

  test('lists the payments of an account, of a status, of the last days', async () => {
    const { paymentId, customer } = await aPurchase(shop)
    const order = await anOrder(shop, customer)
    const declined = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, declined, 'Decline')
    await aPurchase(shop)
    const idsOf = async (...args: string[]) =>
      (await payment('list', '--json', ...args)).json.payments.map(({ id }: { id: string }) => id)
    expect(await idsOf('--email', customer.email.toUpperCase())).toEqual([declined, paymentId])
    expect(await idsOf('--email', customer.email, '--status', 'success')).toEqual([paymentId])
    await shop.db.updateTable('payments').set({ next_check_at: null }).where('id', '=', paymentId).execute()
    const { out } = await payment('list', '--email', customer.email)
    const [head, first, second] = out.split('\n')
    expect(head).toMatch(/^PAYMENT +STARTED +STATUS +METHOD +CHARGED +OUTCOME$/)
    expect(first).toMatch(new RegExp(`^${declined} .* Decline +Card +€30\\.00$`))
    expect(second).toMatch(new RegExp(`^${paymentId} .* Success +Card +€30\\.00 +delivered$`))
    expect(out).not.toContain(customer.email)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    const newest = await payment('list', '--email', customer.email, '--limit', '1')
    expect(newest.out).toMatch(/There are more than these 1\./)
  })

  test('an e-mail that no account has is said to be one', async () => {
    const { code, err } = await payment('list', '--email', 'nobody@example.org')
    expect(err).toBe('No account has this email address.\n')
    expect(code).toBe(1)
  })

  test('an account without a payment has none', async () => {
    const { email } = await aCustomer(shop)
    const { code, out } = await payment('list', '--email', email)
    expect(out).toBe('No payments found.\n')
    expect(code).toBe(0)
  })
})
