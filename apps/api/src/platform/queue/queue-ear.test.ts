import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
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
