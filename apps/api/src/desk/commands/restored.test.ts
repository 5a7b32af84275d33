import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { reached, startPayment } from '#testing/payments.ts'
import { environmentOf, newKey, openGround, startFront } from '#testing/test-shop.ts'

const YEAR = new Date().getUTCFullYear()

/** A shop that has sold something and was stopped, as one finds it after the server was brought back. */
const aStoppedShop = async (ordered: Parameters<typeof anOrder>[2] = {}) => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const front = await startFront(ground)
  const { db } = ground
  await sql`delete from accounting_rates`.execute(db)
  const shop = { ...ground, ...front }
  const customer = await aCustomer(shop)
  await reached(shop, await startPayment(shop, customer, await anOrder(shop, customer, ordered)), 'Success')
  await until(async () => (await db.selectFrom('invoices').select('number').execute()).length === 1)
  const env = environmentOf(ground, 3000)
  return { shop, db, env, customer, stop: front.stop }
}

describe('ops restored', { timeout: 120_000 }, () => {
  test('makes a database of an earlier time the shop: no number twice, no session, every node anew', async () => {
    const { db, env, stop } = await aStoppedShop()
    const args = ['restored', '--to', '2026-11-22 08:35:27.119735+00', '--invoices-from', '40', '--yes']
    const refused = await runOps(env, ...args)
    expect(refused.err).toMatch(/^Nothing was changed\. A shop is connected to this database\./)
    await stop()
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'`.execute(db)
    const before = await db.selectFrom('nodes').select('revision').executeTakeFirstOrThrow()
    const { code, out } = await runOps(env, ...args)
    expect(code).toBe(0)
    expect(out).toMatch(/^The shop is as it was at 2026-11-22T08:35:27\.119Z\./)
    expect(out).toContain(`The next invoice is ${YEAR}-000040`)
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    const after = await db.selectFrom('nodes').select('revision').executeTakeFirstOrThrow()
    expect(Number(after.revision)).toBeGreaterThan(Number(before.revision) + 2 ** 31)
    const { rows } = await sql`select from graphile_worker.jobs where locked_at is not null`.execute(db)
    expect(rows).toEqual([])
  })

  test('asks for a time with its zone', async () => {
    const { code, err } = await runOps({}, 'restored', '--to', '2026-11-22 08:35:27', '--yes')
    expect(err).toMatch(/It must be a time in the past with its zone/)
    expect(code).toBe(2)
  })
})

describe('ops check-copy', { timeout: 120_000 }, () => {
  test('takes what had just been paid for the day’s work', async () => {
    const { db, env, stop } = await aStoppedShop()
    await stop()
    await sql`delete from invoices`.execute(db)
    await sql`delete from invoice_counters`.execute(db)
    await sql`update payments set is_invoiced = false`.execute(db)
    const { code, json } = await runOps(env, 'check-copy', '--json')
    expect(json).toMatchObject({ payments: 1, invoices: 0, faults: [] })
    expect(code).toBe(0)
  })

  test('takes a month without a rate in pounds for the day’s work', async () => {
    const { env, stop } = await aStoppedShop({ currency: 'EUR' })
    await stop()
    expect((await runOps(env, 'check-copy', '--json')).json).toMatchObject({ faults: [] })
  })

  test('says what a copy holds, and what is wrong with it', async () => {
    const { db, env, stop } = await aStoppedShop()
    await stop()
    const well = await runOps(env, 'check-copy', '--newest-within', '60', '--json')
    expect(well.json).toMatchObject({ customers: 1, payments: 1, invoices: 1, faults: [] })
    expect(well.code).toBe(0)
    await sql`update invoice_counters set last = last + 1`.execute(db)
    await sql`update payments set created_at = created_at - interval '2 hours'`.execute(db)
    await sql`update orders set created_at = created_at - interval '2 hours'`.execute(db)
    await sql`update customers set created_at = created_at - interval '2 hours'`.execute(db)
    await sql`update nodes set seen_at = null`.execute(db)
    const { code, json } = await runOps(
      { ...env, KEY_ENCRYPTION_KEY: newKey() },
      ...['check-copy', '--newest-within', '60', '--json'],
    )
    expect(code).toBe(1)
    expect(json.faults).toEqual(
      expect.arrayContaining([
        'KEY_ENCRYPTION_KEY does not open what the shop has sealed',
        expect.stringMatching(/: invoice-series differs/),
        expect.stringMatching(/^the newest trace of the shop in it is 12\d minutes old$/),
      ]),
    )
  })
})
