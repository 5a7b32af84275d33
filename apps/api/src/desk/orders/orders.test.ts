import * as contract from '@hedgerow/contract/console/orders'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ordersRoutes } from '#desk/orders/orders.routes.ts'
import { callsBy } from '#testing/calls.ts'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const calls = () =>
  callsBy((app) => ordersRoutes(app, { db: shop.db, exportDb: shop.db, log: console as never }))

const list = async (query: object) =>
  ((await calls().call(contract.listConsoleOrders, { query })) as { rows: contract.ListedOrder[] }).rows
const show = (orderId: string) => calls().call(contract.getConsoleOrder, { params: { orderId } })

describe('orders', () => {
  test('are listed by account, status and time', async () => {
    const { customer, order: paid } = await aPurchase(shop)
    const fresh = await anOrder(shop, customer, { days: 7 })
    await aPurchase(shop)
    const idsOf = async (query: object) =>
      (await list({ customerId: customer.id, ...query })).map(({ id }) => id)
    expect(await idsOf({})).toEqual([fresh.orderId, paid.orderId])
    expect(await idsOf({ status: 'Completed' })).toEqual([paid.orderId])
    await sql`update orders set created_at = now() - interval '8 days' where id = ${paid.orderId}`.execute(
      shop.db,
    )
    const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString()
    expect(await idsOf({ since: weekAgo })).toEqual([fresh.orderId])
    expect(await idsOf({ until: weekAgo })).toEqual([paid.orderId])
  })

  test('are shown with every attempt to pay, the newest first', async () => {
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer, { features: { feature2: true } })
    const declined = await startPayment(shop, customer, made, { pan: CARDS.declined })
    await reached(shop, declined, 'Decline')
    const paid = await startPayment(shop, customer, made)
    await reached(shop, paid, 'Success')
    expect(await show(made.orderId)).toMatchObject({
      id: made.orderId,
      status: 'Completed',
      price: { minor: 3003, currency: 'EUR' },
      total: { minor: 3003, currency: 'EUR' },
      promocode: null,
      features: ['Advertisement filter'],
      location: { name: 'demonstration', isChosen: false, insteadOf: null },
      customerId: customer.id,
      attempts: [{ id: paid }, { id: declined }],
    })
  })

  test('say what a promocode took off', async () => {
    const customer = await aCustomer(shop)
    const { promocode } = await aPartner(shop)
    const { orderId } = await anOrder(shop, customer, { promocode })
    expect(await show(orderId)).toMatchObject({ promocode, price: { minor: 3000 }, total: { minor: 2700 } })
  })

  test('name their plan, and no customer once the account is erased', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    await reached(shop, await startSale(shop, customer, plan), 'Success')
    const [listed] = await list({ customerId: customer.id })
    expect(listed?.what).toContain(plan.name)
    await sql`update orders set customer_id = null where id = ${listed?.id}`.execute(shop.db)
    expect(await show(listed?.id ?? '')).toMatchObject({ planId: plan.id, customerId: null })
  })

  test('are found in the tool by the account’s email address', async () => {
    const { customer, order } = await aPurchase(shop)
    const listOf = (email: string) =>
      runOps(opsSettings(shop), 'order', 'list', '--customer', email, '--json')
    expect((await listOf(customer.email.toUpperCase())).json.rows).toMatchObject([{ id: order.orderId }])
    expect((await listOf('nobody@example.org')).err).toBe('No account has this email address.\n')
  })
})
