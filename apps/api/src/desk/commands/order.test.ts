import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const order = (...args: string[]) => runOps(opsSettings(shop), 'order', ...args)

describe('ops order', () => {
  test('lists the orders of an account, of a status, of the last days', async () => {
    const { customer, order: paid } = await aPurchase(shop)
    const fresh = await anOrder(shop, customer, { days: 7 })
    await aPurchase(shop)
    const idsOf = async (...args: string[]) =>
      (await order('list', '--json', ...args)).json.orders.map(({ id }: { id: string }) => id)
    expect(await idsOf('--email', customer.email.toUpperCase())).toEqual([fresh.orderId, paid.orderId])
    expect(await idsOf('--email', customer.email, '--status', 'completed')).toEqual([paid.orderId])
    await sql`update orders set created_at = now() - interval '8 days' where id = ${paid.orderId}`.execute(
      shop.db,
    )
    expect(await idsOf('--email', customer.email)).toEqual([fresh.orderId])
    expect(await idsOf('--email', customer.email, '--days', '9')).toEqual([fresh.orderId, paid.orderId])
    const { out } = await order('list', '--email', customer.email, '--days', '9', '--limit', '1')
    expect(out).toMatch(
      new RegExp(
        `^ORDER +CREATED +STATUS +FOR +TOTAL\n${fresh.orderId} .* New +7 days, 3 connections +€7\\.00\n`,
      ),
    )
    expect(out).toMatch(/There are more than these 1\./)
  })

  test('shows one with every attempt to pay it', async () => {
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer, { features: { feature2: true } })
    const declined = await startPayment(shop, customer, made, { pan: CARDS.declined })
    await reached(shop, declined, 'Decline')
    const paid = await startPayment(shop, customer, made)
    await reached(shop, paid, 'Success')
    const { json } = await order('show', made.orderId, '--json')
    expect(json).toMatchObject({
      id: made.orderId,
      status: 'Completed',
      price: { amount: '30.03', currency: 'EUR' },
      discount: null,
      total: { amount: '30.03', currency: 'EUR' },
      customer: { id: customer.id, email: customer.email },
      payments: [{ id: paid }, { id: declined }],
    })
    const { out } = await order('show', made.orderId)
    expect(out).toMatch(
      /For +30 days, 3 connections, Advertisement filter\nTotal +€30\.03\nLocation +demonstration, chosen by the shop\nCreated/,
    )
    expect(out).toMatch(
      new RegExp(`Payment +${paid}, .*: Success, Card, €30\\.03\nPayment +${declined}, .*: Decline`),
    )
  })

  test('shows what a promocode took off', async () => {
    const customer = await aCustomer(shop)
    const { promocode } = await aPartner(shop)
    const { orderId } = await anOrder(shop, customer, { promocode })
    expect((await order('show', orderId, '--json')).json).toMatchObject({
      price: { amount: '30.00', currency: 'EUR' },
      discount: { promocode, amount: '3.00', currency: 'EUR' },
      total: { amount: '27.00', currency: 'EUR' },
    })
    const { out } = await order('show', orderId)
    expect(out).toMatch(new RegExp(`Total +€27\\.00\nPromocode +${promocode}, −€3\\.00 from €30\\.00\n`))
  })

  test('shows the order of a plan, and one that nobody owns any more', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    await reached(shop, await startSale(shop, customer, plan), 'Success')
    const [listed] = (await order('list', '--email', customer.email, '--json')).json.orders
    expect(listed).toMatchObject({ planId: plan.id, description: expect.stringContaining(plan.name) })
    await sql`update orders set customer_id = null where id = ${listed.id}`.execute(shop.db)
    expect((await order('show', listed.id)).out).toContain('erased account')
  })

  test.each([randomUUID(), 'nonsense'])('says of %s that there is none', async (id) => {
    const { code, err } = await order('show', id)
    expect(err).toBe(`There is no order ${id}.\n`)
    expect(code).toBe(1)
  })

  test('an e-mail that no account has is said to be one', async () => {
    expect((await order('list', '--email', 'nobody@example.org')).err).toBe(
      'No account has this email address.\n',
    )
  })
})
