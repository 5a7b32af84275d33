import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listAlerts } from '#care/overview/alerts.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { aPurchase, reached, startPayment } from '#testing/payments.ts'
import { environmentOf, openGround, startTestShop, type TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db' | 'call'>

/** Pays an order whose invoice the database refuses. */
const aPoisonedPurchase = async (shop: Shop, customer: TestCustomer) => {
  const order = await anOrder(shop, customer)
  await sql`create function refuse_invoice() returns trigger language plpgsql as $$
    begin raise exception 'no invoice for this one'; end $$`.execute(shop.db)
  await sql`create trigger poison before insert on invoices for each row
    when (new.order_id = ${sql.lit(order.orderId)}::uuid) execute function refuse_invoice()`.execute(shop.db)
  const paymentId = await startPayment(shop, customer, order)
  await reached(shop, paymentId, 'Success')
  return { order, paymentId }
}

const cure = ({ db }: Pick<Shop, 'db'>) => sql`drop trigger poison on invoices`.execute(db)

/** Lets the pause of what failed be over. */
const retry = async (shop: Pick<Shop, 'db'>) => {
  await sql`update failing_invoices set next_try_at = now()`.execute(shop.db)
  await hurry(shop, 'issue-invoices')
}

const numberOf = async ({ db }: Pick<Shop, 'db'>, { orderId }: Pick<TestOrder, 'orderId'>) =>
  (await db.selectFrom('invoices').select('number').where('order_id', '=', orderId).executeTakeFirst())
    ?.number

const numbered = (shop: Pick<Shop, 'db'>, order: TestOrder) =>
  until(async () => {
    await hurry(shop, 'issue-invoices')
    return numberOf(shop, order)
  })

const triesOf = async ({ db }: Pick<Shop, 'db'>) =>
  (await db.selectFrom('failing_invoices').select('tries').executeTakeFirst())?.tries ?? 0

const alertsOf = async ({ db }: Pick<Shop, 'db'>) => (await listAlerts(db)).map(({ name }) => name)

describe('an invoice that cannot be issued', () => {
  test('keeps no other from being issued, is named once, and gets the next number when its cause is gone', async () => {
    const ground = await openGround({ env: { LOG_LEVEL: 'info' } })
    onTestFinished(ground.close)
    const api = await startApiProcess(environmentOf(ground, await freePort()))
    onTestFinished(() => api.kill())
    const shop = { ...ground, call: api.call }
    const unlucky = await aCustomer(shop)
    const { order: poisoned, paymentId } = await aPoisonedPurchase(shop, unlucky)
    const { order, customer } = await aPurchase(shop)
    expect(await numbered(shop, order)).toBe(1)
    await mailbox(shop).latest(customer.email, 'Your receipt')
    await until(async () => {
      await retry(shop)
      return (await triesOf(shop)) >= 3
    })
    const { order: later } = await aPurchase(shop)
    expect(await numbered(shop, later)).toBe(2)
    expect(await numberOf(shop, poisoned)).toBeUndefined()
    const errors = logLines(api.output()).filter(({ level, job }) => level >= 50 && job === 'issue-invoices')
    expect(errors.map((line) => [line.msg, line.paymentId])).toEqual([
      ['an invoice cannot be issued, and will be tried again', paymentId],
    ])
    expect(await alertsOf(shop)).toContain('InvoiceFailing')

    await cure(shop)
    await until(async () => {
      await retry(shop)
      return (await triesOf(shop)) === 0
    })
    expect(await numberOf(shop, poisoned)).toBe(3)
    await mailbox(shop).latest(unlucky.email, 'Your receipt')
    const { order: last } = await aPurchase(shop)
    expect(await numbered(shop, last)).toBe(4)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(unlucky.email, 'Your receipt')).toHaveLength(1)
    expect(await alertsOf(shop)).not.toContain('InvoiceFailing')
  })

  test('for a payment that was made impossible by hand, keeps no other from being issued', async () => {
    const shop = await startTestShop()
    const poisoned = await aCustomer(shop)
    const order = await anOrder(shop, poisoned)
    const paymentId = await startPayment(shop, poisoned, order)
    await reached(shop, paymentId, 'Success')
    await queueIsEmpty(shop)
    await sql`update payments set ended_at = '-infinity', is_invoiced = false where id = ${paymentId}`.execute(
      shop.db,
    )
    const { order: other } = await aPurchase(shop)
    expect(await numbered(shop, other)).toBeGreaterThan(0)
    await until(async () => (await triesOf(shop)) > 0)
    expect(await alertsOf(shop)).toContain('InvoiceFailing')
  })

  test('is answered as what it is, to its customer and to who would erase the account', async () => {
    const shop = await startTestShop()
    const customer = await aCustomer(shop)
    const { order } = await aPoisonedPurchase(shop, customer)
    const { order: other } = await aPurchase(shop, {}, {}, customer)
    const invoice = () =>
      shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: customer.token })
    expect(expectProblem(await invoice(), 503).body.detail).toContain('could not be made yet')
    const refused = expectProblem(await eraseAccount(shop, customer), 409)
    expect(refused.body.detail).toContain('ne of your invoices could not be made')
    const { code, err } = await runOps(opsSettings(shop), 'customer', 'erase', customer.email, '--yes')
    expect(err).toContain('An invoice of this account cannot be issued.')
    expect(code).not.toBe(0)
    // The other was issued all the same.
    expect(await numberOf(shop, other)).toBe(1)
    await cure(shop)
    expect((await invoice()).status).toBe(200)
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await triesOf(shop)).toBe(0)
  })
})

test('a receipt whose document cannot be made fails by itself', async () => {
  const shop = await startTestShop()
  const poisoned = await aPurchase(shop)
  await numbered(shop, poisoned.order)
  await queueIsEmpty(shop)
  await sql`alter table invoices disable trigger invoices_stay`.execute(shop.db)
  await sql`update invoices set snapshot = '{}'`.execute(shop.db)
  await sql`select graphile_worker.add_job('mail-receipt', ${JSON.stringify({ orderId: poisoned.order.orderId })}::json)`.execute(
    shop.db,
  )
  const { order, customer } = await aPurchase(shop)
  await numbered(shop, order)
  await mailbox(shop).latest(customer.email, 'Your receipt')
  const failing = () =>
    sql<{ last_error: string | null }>`select last_error from graphile_worker.jobs
      where task_identifier = 'mail-receipt' and last_error is not null`.execute(shop.db)
  await until(async () => (await failing()).rows.length === 1)
})
