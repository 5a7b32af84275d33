import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { takeBackup } from '#care/backup/take-backup.ts'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { listMigrations } from '#platform/database/compare-schema.ts'
import { migrate, type Patience } from '#platform/database/migrate.ts'
import { readSharedKeys } from '#platform/settings.ts'
import { connect, isAt } from '#testing/backups.ts'
import { aCustomer } from '#testing/customers.ts'
import { migrateToNext as migrateOneMore, NEXT } from '#testing/index-build.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const known = ({ db }: Pick<TestShop, 'db'>) => listMigrations(db)

type Asked = { patience?: Partial<Patience>; logged?: string[] }

/** A process of the next version starts on the shop's database; it needs the orders for itself. */
const migrateToNext = async (shop: TestShop, asked: Asked = {}) => {
  const database = openDatabase(shop.databaseUrl, () => undefined, 4)
  onTestFinished(() => database.pool.end())
  const up = async (db: Db) => void (await sql`alter table orders add column next integer`.execute(db))
  return migrateOneMore(database, { up }, asked)
}

const isMigrated = async (shop: TestShop) => (await known(shop)).includes(NEXT)

/** A backup that has begun to write, and goes on when it is let. */
const anOpenBackup = async (shop: TestShop) => {
  const { pool } = openDatabase(shop.databaseUrl, () => undefined, 2)
  onTestFinished(() => pool.end())
  const [hasBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const write = async (lines: AsyncIterable<Buffer>) => {
    for await (const _line of lines) {
      hasBegun.resolve()
      await mayEnd.promise
    }
  }
  const ended = takeBackup({ pool }, readSharedKeys(shop.env), write, new AbortController().signal)
  await hasBegun.promise
  const end = () => {
    mayEnd.resolve()
    return ended
  }
  onTestFinished(async () => void (await end()))
  return end
}

describe('a migration', () => {
  test('waits for a backup that copies, without blocking, and says so', async () => {
    const shop = await startTestShop()
    const endBackup = await anOpenBackup(shop)
    const logged: string[] = []
    const migrating = migrateToNext(shop, { logged })
    await expect
      .poll(() => logged)
      .toEqual(['a migration is waiting for a backup, or for another program that migrates'])
    await aPurchase(shop)
    expect(await isMigrated(shop)).toBe(false)
    await endBackup()
    await migrating
    expect(await isMigrated(shop)).toBe(true)
    expect(logged).toHaveLength(1)
  })

  test('that a backup lets wait for too long ends with what to do, and has changed nothing', async () => {
    const shop = await startTestShop()
    await anOpenBackup(shop)
    await expect(migrateToNext(shop, { patience: { turnMs: 0 } })).rejects.toThrow(
      /a backup of it, or another program that migrates it, has not finished\. Nothing was changed/,
    )
    expect(await isMigrated(shop)).toBe(false)
  })

  test('a shop that has nothing to migrate starts while a backup copies', async () => {
    const shop = await startTestShop()
    await anOpenBackup(shop)
    const database = openDatabase(shop.databaseUrl, () => undefined, 4)
    onTestFinished(() => database.pool.end())
    await migrate(database, { patience: { turnMs: 0 } })
  })

  test('gives way to those who use its table, sales go on, and it is done when they have ended', async () => {
    const shop = await startTestShop()
    const reader = await connect(shop.databaseUrl)
    await reader.query('begin; select from orders')
    const logged: string[] = []
    const migrating = migrateToNext(shop, { logged })
    await expect.poll(() => logged.length).toBeGreaterThan(1)
    await aPurchase(shop)
    expect(new Set(logged)).toEqual(new Set(['a migration is waiting for tables that are in use']))
    expect(await isMigrated(shop)).toBe(false)
    await reader.query('commit')
    await migrating
    expect(await isMigrated(shop)).toBe(true)
  })

  test('that never gets its table says who is asked, and can be tried again', async () => {
    const shop = await startTestShop()
    const reader = await connect(shop.databaseUrl)
    await reader.query('begin; select from orders')
    await expect(migrateToNext(shop, { patience: { tries: 2 } })).rejects.toThrow(
      /^9999-next could not be done: other programs kept using its tables/,
    )
    await reader.query('commit')
    await migrateToNext(shop)
    expect(await isMigrated(shop)).toBe(true)
  })
})

describe('a statement of the shop that hangs', () => {
  test('ends as a 503 that says when to come again, and the shop goes on', async () => {
    const shop = await startTestShop({ env: { DATABASE_STATEMENT_TIMEOUT: '1' } })
    const customer = await aCustomer(shop)
    const [holder, watcher] = [await connect(shop.databaseUrl), await connect(shop.databaseUrl)]
    await holder.query('begin; lock table orders in access exclusive mode')
    const asked = shop.call('GET', '/api/v1/orders', { token: customer.token })
    // Of a long statement the server shows the beginning.
    await isAt(watcher, 'select "orders".%')
    const reply = expectProblem(await asked, 503)
    expect(reply.headers.get('retry-after')).toBe('10')
    await holder.query('commit')
    expect((await shop.call('GET', '/api/v1/orders', { token: customer.token })).status).toBe(200)
  })
})
