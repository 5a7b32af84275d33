import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { programFile } from '@hedgerow/testing/programs'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { takeBackup } from '#care/backup/take-backup.ts'
import { buildIndex } from '#platform/database/build-index.ts'
import { openDatabase } from '#platform/database/client.ts'
import { listMigrations } from '#platform/database/compare-schema.ts'
import { readSharedKeys } from '#platform/settings.ts'
import { connect } from '#testing/backups.ts'
import { migrateToNext, NEXT, NEXT_INDEX } from '#testing/index-build.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const open = (shop: TestShop) => {
  const database = openDatabase(shop.databaseUrl, () => undefined, 4)
  onTestFinished(() => database.pool.end())
  return database
}

type Found = { is_valid: boolean }

const findIndex = async ({ db }: Pick<TestShop, 'db'>): Promise<Found | undefined> => {
  const { rows } = await sql<Found>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${NEXT_INDEX})`.execute(db)
  return rows[0]
}

/** A reader who has not ended: a build waits for it. */
const aLongReader = async (shop: TestShop) => {
  const reader = await connect(shop.databaseUrl)
  await reader.query('begin isolation level repeatable read; select from orders')
  return reader
}

/** A build has made its index and waits for it to be usable. */
const isWaiting = (shop: TestShop) => until(async () => (await findIndex(shop))?.is_valid === false)

describe('an index that is built beside the sales', { timeout: 120_000 }, () => {
  test('waits for a long reader, says so, and blocks no one meanwhile', async () => {
    const shop = await startTestShop()
    const reader = await aLongReader(shop)
    const logged: string[] = []
    const migrating = migrateToNext(open(shop), undefined, { logged })
    await isWaiting(shop)
    await aPurchase(shop)
    await expect
      .poll(() => logged)
      .toEqual(['an index is being built beside the sales, and waits for who reads'])
    expect(await listMigrations(shop.db)).not.toContain(NEXT)
    await reader.query('commit')
    await migrating
    expect(await findIndex(shop)).toEqual({ is_valid: true })
    expect(await listMigrations(shop.db)).toContain(NEXT)
  })

  test('is built once by two processes that start at once', async () => {
    const shop = await startTestShop()
    const reader = await aLongReader(shop)
    const both = [migrateToNext(open(shop)), migrateToNext(open(shop))]
    await isWaiting(shop)
    await reader.query('commit')
    await Promise.all(both)
    expect(await findIndex(shop)).toEqual({ is_valid: true })
  })

  test('is built while a backup waits for its turn, which is taken afterwards', async () => {
    const shop = await startTestShop()
    const reader = await aLongReader(shop)
    const migrating = migrateToNext(open(shop))
    await isWaiting(shop)
    const write = async (lines: AsyncIterable<Buffer>) => {
      for await (const _line of lines);
    }
    const backup = takeBackup(open(shop), readSharedKeys(shop.env), write, new AbortController().signal)
    await reader.query('commit')
    await migrating
    expect((await backup).header.migrations).toContain(NEXT)
  })

  test('by a process that is killed in the middle is mended by the next start', async () => {
    const shop = await startTestShop()
    const reader = await aLongReader(shop)
    const killed = spawn(process.execPath, [await programFile('apps/api/src/testing/index-build.ts')], {
      env: { ...programEnvironment(), DATABASE_URL: shop.databaseUrl },
      stdio: 'inherit',
    })
    await isWaiting(shop)
    killed.kill('SIGKILL')
    await once(killed, 'close')
    const migrating = migrateToNext(open(shop))
    // The server has noticed, has ended the build of the dead, and the next one asks for what it left to be dropped.
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and query like 'drop index concurrently%'`.execute(
        shop.db,
      )
      return rows.length > 0
    })
    await aPurchase(shop)
    await reader.query('commit')
    await migrating
    expect(await findIndex(shop)).toEqual({ is_valid: true })
  })

  test('that never gets ready is given up with a word of what to do, and mended later', async () => {
    const shop = await startTestShop()
    const reader = await aLongReader(shop)
    const patience = { indexLockMs: 200, indexTries: 2 }
    await expect(migrateToNext(open(shop), undefined, { patience })).rejects.toThrow(
      /^9999-next could not be done: other programs kept using its tables/,
    )
    await reader.query('commit')
    await migrateToNext(open(shop))
    expect(await findIndex(shop)).toEqual({ is_valid: true })
  })
})

test('an index is built at once in a transaction, as a restore has it, unique ones too', async () => {
  const shop = await startTestShop()
  const { db } = open(shop)
  await db
    .transaction()
    .execute((trx) => buildIndex(trx, NEXT_INDEX, sql`on orders (id, days)`, { isUnique: true }))
  expect(await findIndex(shop)).toEqual({ is_valid: true })
})
