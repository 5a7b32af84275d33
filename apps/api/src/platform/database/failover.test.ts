import { type DatabaseProxy, startDatabaseProxy } from '@hedgerow/testing/database-proxy'
import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase, shopLimits } from '#platform/database/client.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, reached, startPayment } from '#testing/payments.ts'
import { onServer } from '#testing/template-database.ts'
import { cloneDatabase } from '#testing/test-database.ts'
import { environmentOf, openGround, startFront, type TestShop } from '#testing/test-shop.ts'

/** A shop that reaches its database over a network that can be broken; the test itself reaches it past that. */
const aShopBehindANetwork = async (): Promise<TestShop & { network: DatabaseProxy }> => {
  const { close, ...ground } = await openGround()
  const network = await startDatabaseProxy(ground.databaseUrl)
  const front = await startFront({ ...ground, databaseUrl: network.url }).catch(async (error: unknown) => {
    await network.close()
    await close()
    throw error
  })
  const stop = async () => {
    await front.stop()
    await network.close()
    await close()
  }
  onTestFinished(stop)
  return { ...front, ...ground, network, stop }
}

const isReady = async ({ call }: Pick<TestShop, 'call'>) => (await call('GET', '/readyz')).status === 200
const isUnready = async (shop: Pick<TestShop, 'call'>) => !(await isReady(shop))

describe('a shop whose database goes away', () => {
  test('lets customers wait while another server takes over, and loses none of them', async () => {
    const shop = await aShopBehindANetwork()
    const customer = await aCustomer(shop)
    shop.network.letThrough(false)
    shop.network.cut()
    // What is asked on a connection before the shop hears that it was cut has gone with it: these come after that.
    await until(() => isUnready(shop))
    const before = shop.network.refused()
    const answers = Promise.all(
      Array.from({ length: 10 }, () => shop.call('GET', '/api/v1/user/profile', { token: customer.token })),
    )
    await until(() => shop.network.refused() >= before + 10)
    shop.network.letThrough(true)
    expect((await answers).map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  test('notices a cable that is out, and leaves no call waiting for it', async () => {
    const shop = await aShopBehindANetwork()
    const customer = await aCustomer(shop)
    await aPurchase(shop)
    shop.network.freeze()
    const waiting = Promise.all(
      Array.from({ length: 30 }, () => shop.call('GET', '/api/v1/user/profile', { token: customer.token })),
    )
    for (const { status } of await waiting) expect([200, 503]).toContain(status)
    await until(() => isReady(shop))
    await aPurchase(shop)
  })

  test('hears of changes again, and has forgotten what it knew', async () => {
    const shop = await aShopBehindANetwork()
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'Success')
    shop.network.letThrough(false)
    shop.network.cut()
    await sql`update customers set name = 'Written meanwhile' where id = ${customer.id}`.execute(shop.db)
    await sql`delete from sessions where customer_id = ${customer.id}`.execute(shop.db)
    shop.network.letThrough(true)
    await until(
      async () => (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).status === 401,
    )
    await aPurchase(shop)
  })
})

describe('a server that takes no changes', () => {
  test('is not worked on, nor read from: the shop waits for the one that does', async () => {
    const shop = await aShopBehindANetwork()
    const customer = await aCustomer(shop)
    const name = new URL(shop.databaseUrl).pathname.slice(1)
    const turnReadOnly = (value: 'on' | 'off') =>
      onServer(inject('postgresUrl'), `alter database ${name} set default_transaction_read_only = ${value}`)
    await turnReadOnly('on')
    shop.network.cut()
    await until(() => isUnready(shop))
    const order = anOrder(shop, customer)
    await turnReadOnly('off')
    await startPayment(shop, customer, await order)
    expect(await isReady(shop)).toBe(true)
  })

  test('is left as soon as it has refused a change', async () => {
    const database = await cloneDatabase()
    onTestFinished(database.drop)
    const limits = shopLimits({ statementTimeoutSeconds: 30 })
    const { db } = openDatabase(database.url, () => undefined, 1, limits)
    const backend = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
    const before = await backend()
    const change = sql`delete from sessions`
    const refused = db
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => change.execute(trx))
    await expect(refused).rejects.toMatchObject({ code: '25006' })
    expect(await backend()).not.toBe(before)
    await change.execute(db)
    await db.destroy()
  })
})

test('an outage is said to customers with a time to come back, and to the log in a few lines', async () => {
  const { close, ...ground } = await openGround({ env: { LOG_LEVEL: 'warn' } })
  onTestFinished(close)
  const network = await startDatabaseProxy(ground.databaseUrl)
  onTestFinished(network.close)
  const api = await startApiProcess(environmentOf({ ...ground, databaseUrl: network.url }, await freePort()))
  const { token } = await aCustomer(ground)
  network.letThrough(false)
  network.cut()
  await until(() => isUnready(api))
  const asked = Array.from({ length: 20 }, () => api.call('GET', '/api/v1/user/profile', { token }))
  await Promise.all(Array.from({ length: 100 }, () => api.call('GET', '/readyz')))
  for (const reply of await Promise.all(asked))
    expect(Number(expectProblem(reply, 503).headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.call('GET', '/healthz')).status).toBe(200)
  network.letThrough(true)
  await until(() => isReady(api))
  await api.stop()
  const lines = logLines(api.output())
  expect(lines.some(({ msg }) => msg === 'a database connection was lost')).toBe(true)
  expect(lines.filter(({ msg }) => msg === 'request failed')).toEqual([])
  expect(lines.length).toBeLessThan(60)
})
