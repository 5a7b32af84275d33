import { freePort } from '@hedgerow/testing/free-port'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { listKnownMigrations } from '#platform/database/migrations.ts'
import { failToStartApi, startApiProcess } from '#testing/api-process.ts'
import { aCustomer } from '#testing/customers.ts'
import { migrateToNext, NEXT } from '#testing/index-build.ts'
import { runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { emptyDatabase } from '#testing/test-database.ts'
import { environmentOf, openGround, type ShopGround } from '#testing/test-shop.ts'

const aGround = async () => {
  const ground = await openGround()
  onTestFinished(ground.close)
  return ground
}

const asNewer = async ({ databaseUrl }: Pick<ShopGround, 'databaseUrl'>, oldest?: string) => {
  const database = openDatabase(databaseUrl, () => undefined, 2)
  onTestFinished(() => database.pool.end())
  await migrateToNext(database, {
    ...(oldest ? { floor: { migration: oldest, release: '9.9.0' } } : {}),
    up: async (db: Db) => void (await sql`alter table orders add column next integer`.execute(db)),
  })
}

describe('on a database that a newer version has brought up to date, this one', { timeout: 120_000 }, () => {
  test('starts, is ready and sells', async () => {
    const ground = await aGround()
    await asNewer(ground)
    const api = await startApiProcess(environmentOf(ground, await freePort()))
    expect((await api.call('GET', '/readyz')).status).toBe(200)
    const shop = { ...ground, call: api.call }
    await anOrder(shop, await aCustomer(shop))
    expect(await api.stop()).toBe(0)
  })

  test('starts where something was taken away that it does not use', async () => {
    const ground = await aGround()
    await asNewer(ground, (await listKnownMigrations()).at(-1))
    const api = await startApiProcess(environmentOf(ground, await freePort()))
    expect((await api.call('GET', '/readyz')).status).toBe(200)
  })

  test('is refused in one line where something was taken away that it uses', async () => {
    const ground = await aGround()
    await asNewer(ground, NEXT)
    const { code, output } = await failToStartApi(environmentOf(ground, await freePort()))
    expect(output).toBe(
      'The database has been brought up to date by a newer version, and needs 9.9.0 or later: this one is too old for it. Start one of those; the way back to this one is a backup from before the upgrade.\n',
    )
    expect(code).toBe(1)
  })

  test('says so to its tool, which has nothing to do there', async () => {
    const ground = await aGround()
    await asNewer(ground)
    const settings = { DATABASE_URL: ground.databaseUrl }
    const said = await runOps(settings, 'migrate')
    expect(said.out).toBe(
      'There was nothing to do.\nA newer version has been here, and this one can run on it all the same: 9999-next.\n',
    )
    expect(said.code).toBe(0)
    expect((await runOps(settings, 'migrate', '--check', '--json')).json).toEqual({
      pending: [],
      newer: ['9999-next'],
    })
  })

  test('is refused where the database has not seen what this version did before', async () => {
    const ground = await aGround()
    await asNewer(ground)
    await sql`delete from kysely_migration where name like '0051-%'`.execute(ground.db)
    const { code, output } = await failToStartApi(environmentOf(ground, await freePort()))
    expect(output).toMatch(
      /^The database belongs to another line of versions than this one: see the migration 0051-/,
    )
    expect(code).toBe(1)
  })
})

test('the tool brings an empty database up to date, after saying what it would do', {
  timeout: 120_000,
}, async () => {
  const database = await emptyDatabase()
  onTestFinished(database.drop)
  const settings = { DATABASE_URL: database.url }
  const known = await listKnownMigrations()
  expect((await runOps(settings, 'migrate', '--check')).out).toBe(`To be done: ${known.join(', ')}.\n`)
  const done = await runOps(settings, 'migrate')
  expect(done).toMatchObject({ code: 0, err: '', out: `Done: ${known.join(', ')}.\n` })
  expect((await runOps(settings, 'migrate')).out).toBe('There was nothing to do.\n')
})
