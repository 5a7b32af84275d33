import { PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/client.ts'
import { cloneDatabase } from '#testing/test-database.ts'

test.each(['payments', 'unknown_payments'])('the check of %s takes every payment method', async (table) => {
  const { url, drop } = await cloneDatabase()
  onTestFinished(drop)
  const { db } = openDatabase(url, () => undefined, 1)
  const { rows } = await sql<{ check: string }>`
    select pg_get_constraintdef(oid) as check from pg_constraint
    where conrelid = ${table}::regclass and conname = ${`${table}_method_check`}`.execute(db)
  await db.destroy()
  const taken = [...(rows[0]?.check ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)
  expect(taken.sort()).toEqual([...PAYMENT_METHODS].sort())
})
