import { EventEmitter, once } from 'node:events'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { run } from 'graphile-worker'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '#platform/database/client.ts'
import { createQueueListener, QUEUE_CONNECTIONS } from '#platform/queue/queue-listener.ts'
import { aCustomer } from '#testing/customers.ts'
import { startTestShop } from '#testing/test-shop.ts'

test('a shop at rest keeps few connections, and does jobs after all of them were cut', async () => {
  const shop = await startTestShop({ hasAllWorkers: true })
  const count = async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(shop.db)
    return rows[0]?.open
  }
  const { email } = await aCustomer(shop)
  await until(async () => Number(await count()) < 7)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(shop.db)
  await until(async () => (await shop.call('GET', '/readyz')).status === 200)
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
  expect(await mailbox(shop).latest(email, 'new password')).toBeDefined()
})

test('the queue’s timetable has of it what it needs, so that a stop does not wait for its next try', async () => {
  const shop = await startTestShop()
  const { pool } = openDatabase(shop.databaseUrl, () => undefined, QUEUE_CONNECTIONS)
  const events = new EventEmitter()
  const started = once(events, 'cron:started')
  const runner = await run({
    pgPool: createQueueListener().poolOver(pool),
    taskList: { nothing: async () => undefined },
    noHandleSignals: true,
    events: events as never,
  })
  await started
  await runner.stop()
  await pool.end()
})
