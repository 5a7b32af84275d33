import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { metric } from '#testing/metrics.ts'
import { anOrderBody } from '#testing/orders.ts'
import { aPurchase } from '#testing/payments.ts'
import { onServer } from '#testing/template-database.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('GET /healthz and /readyz', () => {
  test('say that the process lives and can serve', async () => {
    expect((await shop.call('GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await shop.call('GET', '/readyz')).body).toEqual({ status: 'ready' })
  })

  test('tell a shop without its database from one that is dead, and it recovers by itself', async () => {
    const own = await startTestShop()
    const name = new URL(own.databaseUrl).pathname.slice(1)
    const serverUrl = inject('postgresUrl')
    await onServer(serverUrl, `alter database ${name} with allow_connections false`)
    await onServer(
      serverUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
    const reply = expectProblem(
      await until(async () => {
        const answer = await own.call('GET', '/readyz')
        return answer.status !== 200 && answer
      }),
      503,
    )
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await own.call('GET', '/healthz')).status).toBe(200)
    await onServer(serverUrl, `alter database ${name} with allow_connections true`)
    await until(async () => (await own.call('GET', '/readyz')).status === 200)
    await until(async () => (await sql`select`.execute(own.db)) !== undefined)
    await aPurchase(own)
  })
})

test('a shop whose database has no room to write is not ready, though it answers', async () => {
  const shop = await startTestShop()
  const customer = await aCustomer(shop)
  await sql`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(shop.db)
  await sql`create trigger no_room before insert on orders for each row execute function no_room()`.execute(
    shop.db,
  )
  expect((await shop.call('GET', '/readyz')).status).toBe(200)
  const order = { token: customer.token, body: anOrderBody() }
  expectProblem(await shop.call('POST', '/api/v1/orders', order), 503)
  expectProblem(await shop.call('GET', '/readyz'), 503)
  expect(await metric(shop, 'hedgerow_database_full')).toBe(1)
})
