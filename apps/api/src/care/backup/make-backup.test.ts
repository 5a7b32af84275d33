import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@hedgerow/testing/free-port'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isBackupName } from '#care/backup/backup-place.ts'
import { WATCHED } from '#care/doctor/run-checks.ts'
import { listShopChecks } from '#care/doctor/shop-checks.ts'
import { watchShop } from '#care/doctor/watch-shop.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aFolder, aTarget, connect, isAt, KEY } from '#testing/backups.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry, makeDue } from '#testing/jobs.ts'
import { metric } from '#testing/metrics.ts'
import { runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import {
  environmentOf,
  openGround,
  openSecondFront,
  type ShopGround,
  startTestShop,
  type TestShop,
} from '#testing/test-shop.ts'

const run = promisify(execFile)

type Shop = Pick<TestShop, 'db'>

const aShop = async (env: Record<string, string> = {}) => {
  const folder = await aFolder()
  const shop = await startTestShop({ env: { ...KEY, BACKUP_DIR: folder, ...env } })
  const settings = { DATABASE_URL: shop.databaseUrl, ...KEY, BACKUP_DIR: folder }
  return { shop, folder, settings }
}

const madeIn = async (folder: string) => (await readdir(folder)).filter(isBackupName).sort()

/** Lets the job come round until that is so. */
const comesTo = (shop: Shop, isSo: () => Promise<unknown>) =>
  until(async () => {
    await hurry(shop, 'make-backup')
    return isSo()
  })

/** The same for what a test holds up: it does not come round. */
const isBegun = (shop: Shop, isSo: () => Promise<unknown>) =>
  until(async () => {
    await makeDue(shop, 'make-backup')
    return isSo()
  })

/** As if what was made or tried had been the night before. */
const nightFalls = ({ db }: Shop) =>
  sql`update backups set began_at = began_at - interval '1 day'`.execute(db)

const finding = async ({ db, settings }: Pick<TestShop, 'db' | 'settings'>) => {
  await watchShop(
    { db, settings },
    WATCHED.filter(({ name }) => name === 'backup'),
  )
  return (await listShopChecks(db))[0]
}

const endedRows = async ({ db }: Shop) =>
  (await db.selectFrom('backups').selectAll().where('ended_at', 'is not', null).execute()).length

test('the shop makes one each night, once whatever its processes do, and it is the whole shop', async () => {
  const { shop, folder } = await aShop()
  const paid = await aPurchase(shop)
  await openSecondFront(shop)
  await comesTo(shop, () => endedRows(shop))
  for (let again = 0; again < 3; again++) await hurry(shop, 'make-backup')
  const [name = '', ...more] = await madeIn(folder)
  expect(more).toEqual([])
  expect(await finding(shop)).toMatchObject({ state: 'ok', says: 'the last was made within the hour' })
  expect(await metric(shop, 'hedgerow_backup_age_seconds')).toBeGreaterThanOrEqual(0)
  await aCustomer(shop)

  const target = await aTarget()
  expect(await target.restore(join(folder, name), '--yes')).toMatchObject({ code: 0, err: '' })
  const { rows } = await target.client.query('select id, email from customers')
  expect(rows).toEqual([{ id: paid.customer.id, email: paid.customer.email }])
  expect(await target.count('connections')).toBe(3)

  await nightFalls(shop)
  await comesTo(shop, async () => (await endedRows(shop)) === 2)
  expect(await madeIn(folder)).toHaveLength(2)
})

test('it keeps as many as are set, and removes none that it did not make', async () => {
  const { shop, folder } = await aShop({ BACKUP_KEEP: '2' })
  const strangers = ['2020-01-01T033000000Z.backup', '2020-01-02.backup', '.precious.part', 'notes.txt']
  for (const name of strangers) await writeFile(join(folder, name), 'not ours')
  await mkdir(join(folder, '2020-01-03T033000000Z.backup'))
  const made: string[] = []
  for (let night = 1; night <= 4; night++) {
    await nightFalls(shop)
    const known = await madeIn(folder)
    await comesTo(shop, async () => {
      const [fresh] = (await madeIn(folder)).filter((name) => !known.includes(name))
      if (fresh) made.push(fresh)
      return fresh
    })
  }
  await until(async () => (await endedRows(shop)) === 2)
  const left = await readdir(folder)
  expect(left).toEqual(
    expect.arrayContaining([...strangers, '2020-01-03T033000000Z.backup', ...made.slice(-2)]),
  )
  expect(left).toHaveLength(strangers.length + 3)
  for (const name of strangers) expect(await readFile(join(folder, name), 'utf8')).toBe('not ours')
})

test('a folder that goes away, and a backup that somebody takes, are said; what was made stays', async () => {
  const { shop, folder } = await aShop()
  await comesTo(shop, () => endedRows(shop))
  const [name = ''] = await madeIn(folder)
  await rename(folder, `${folder}-elsewhere`)
  onTestFinished(() => rm(`${folder}-elsewhere`, { recursive: true, force: true }))
  expect(await finding(shop)).toMatchObject({ state: 'problem', says: `${folder} is not there` })
  await nightFalls(shop)
  await comesTo(shop, () =>
    shop.db.selectFrom('backups').select('id').where('fault', 'is not', null).executeTakeFirst(),
  )
  await rename(`${folder}-elsewhere`, folder)
  expect(await finding(shop)).toMatchObject({
    state: 'problem',
    says: expect.stringMatching(/^the last one failed: .* is not there\.$/),
  })
  expect(await madeIn(folder)).toEqual([name])
  await nightFalls(shop)
  await comesTo(shop, async () => (await madeIn(folder)).length === 2)
  await until(async () => (await finding(shop))?.state === 'ok')
  for (const one of await madeIn(folder)) await rm(join(folder, one))
  expect(await finding(shop)).toMatchObject({
    state: 'problem',
    says: expect.stringMatching(/^\d{4}-.*Z\.backup is not in .* as it was made$/),
  })
})

describe('a process of its own', { timeout: 120_000 }, () => {
  const aProcess = async (ground: ShopGround, folder: string) =>
    startApiProcess({ ...environmentOf(ground, await freePort()), BACKUP_DIR: folder })

  const aGround = async () => {
    const ground = await openGround({ env: KEY })
    onTestFinished(ground.close)
    return ground
  }

  test('that is killed in the middle of one leaves nothing behind, and the next one begins anew', async () => {
    const [ground, folder] = [await aGround(), await aFolder()]
    const holder = await connect(ground.databaseUrl)
    await holder.query('begin')
    // Before it starts: it may come to its first backup by itself.
    await holder.query('lock table canned_replies in access exclusive mode')
    const api = await aProcess(ground, folder)
    await isBegun(ground, async () => (await readdir(folder)).length > 0)
    await isAt(await connect(ground.databaseUrl), 'lock table%')
    await api.kill()
    expect(await madeIn(folder)).toEqual([])
    await holder.query('rollback')
    await aProcess(ground, folder)
    await comesTo(ground, () => endedRows(ground))
    expect(await readdir(folder)).toEqual(await madeIn(folder))
    expect(await ground.db.selectFrom('backups').selectAll().execute()).toHaveLength(1)
  })

  test('that died after the last byte had its backup found whole by the next; half of one is none', async () => {
    const [ground, folder] = [await aGround(), await aFolder()]
    const settings = { DATABASE_URL: ground.databaseUrl, ...KEY, BACKUP_DIR: folder }
    const { json } = await runOps(settings, 'backup', '--json')
    const half = json.file.replace(/\d{4}/, '2020')
    await copyFile(json.file, half)
    await run('truncate', ['--size=-20', half])
    await sql`update backups set ended_at = null, bytes = null`.execute(ground.db)
    await sql`insert into backups (name, place, machine, began_at)
      values (${half.slice(folder.length + 1)}, ${folder}, 'before', now())`.execute(ground.db)
    await aProcess(ground, folder)
    await comesTo(ground, async () => (await endedRows(ground)) === 2)
    expect(await readdir(folder)).not.toContain(half.slice(folder.length + 1))
    expect(await readdir(folder)).toContain(json.file.slice(folder.length + 1))
  })

  test('says why one failed where there is no room, and stops at once in the middle of one', async () => {
    const [ground, folder] = [await aGround(), await aFolder()]
    const api = await aProcess(ground, folder)
    await run('prlimit', [`--pid=${api.pid}`, '--fsize=4000:unlimited'])
    await comesTo(ground, () =>
      ground.db.selectFrom('backups').select('id').where('fault', 'is not', null).executeTakeFirst(),
    )
    expect(await ground.db.selectFrom('backups').selectAll().execute()).toMatchObject([
      {
        ended_at: null,
        fault: expect.stringMatching(/cannot be written: a file may not be so large here\.$/),
      },
    ])
    expect(await readdir(folder)).toEqual([])
    await run('prlimit', [`--pid=${api.pid}`, '--fsize=unlimited'])
    const holder = await connect(ground.databaseUrl)
    await holder.query('begin')
    await holder.query('lock table canned_replies in access exclusive mode')
    await nightFalls(ground)
    await isBegun(ground, async () => (await readdir(folder)).length > 0)
    expect(await api.stop()).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })
})

test('the tool makes one there too, and lists what there is', async () => {
  const { shop, folder, settings } = await aShop()
  await comesTo(shop, () => endedRows(shop))
  const { json: made } = await runOps(settings, 'backup', '--json')
  const { json: listed } = await runOps({ BACKUP_DIR: folder }, 'backups', '--json')
  expect(listed).toHaveLength(2)
  expect(listed[0]).toEqual({ file: made.file, bytes: made.bytes })
  const unset = await runOps({ DATABASE_URL: shop.databaseUrl, ...KEY }, 'backup')
  expect(unset).toMatchObject({ code: 1, err: 'BACKUP_DIR is not set: name a file.\n' })
})

test('a shop whose folder is not there does not start', async () => {
  const [ground, folder] = [await openGround({ env: KEY }), join(await aFolder(), 'gone')]
  onTestFinished(ground.close)
  await expect(
    startApiProcess({ ...environmentOf(ground, await freePort()), BACKUP_DIR: folder }),
  ).rejects.toThrow(`BACKUP_DIR: ${folder} is not there.`)
})
