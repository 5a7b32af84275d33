import { readdir } from 'node:fs/promises'
import { freePort } from '@hedgerow/testing/free-port'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { WATCHED } from '#care/doctor/run-checks.ts'
import { listShopChecks } from '#care/doctor/shop-checks.ts'
import { watchShop } from '#care/doctor/watch-shop.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aFolder, aTarget, KEY } from '#testing/backups.ts'
import { aBucket } from '#testing/bucket.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry, makeDue } from '#testing/jobs.ts'
import { runOps } from '#testing/ops.ts'
import { environmentOf, newKey, openGround, startTestShop, type TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db'>

const aShop = async (env: Record<string, string>) => {
  const folder = await aFolder()
  const shop = await startTestShop({ env: { ...KEY, BACKUP_DIR: folder, ...env } })
  return { shop, folder }
}

const comesTo = (shop: Shop, isSo: () => Promise<unknown>) =>
  until(async () => {
    await hurry(shop, 'make-backup')
    return isSo()
  })

const ofBucket = ({ db }: Shop) => db.selectFrom('backups').selectAll().where('machine', '=', '')
const sent = async (shop: Shop) =>
  (await ofBucket(shop).where('ended_at', 'is not', null).orderBy('began_at').execute()).map(
    ({ name }) => `${name}.age`,
  )
const failed = async (shop: Shop) =>
  (await ofBucket(shop).where('fault', 'is not', null).executeTakeFirst())?.fault

const nightFalls = ({ db }: Shop) =>
  sql`update backups set began_at = began_at - interval '1 day'`.execute(db)

const finding = async ({ db, settings }: TestShop) => {
  await watchShop(
    { db, settings },
    WATCHED.filter(({ name }) => name === 'bucket'),
  )
  return (await listShopChecks(db))[0]
}

/** So much that its copy goes in several parts. */
const fill = ({ db }: Shop) =>
  sql`insert into operator_actions (id, who, command, arguments, outcome, ended_at)
    select gen_random_uuid(), 'ada', 'fill', jsonb_build_object('text', string_agg(md5(random()::text), '')), 'done', now()
    from generate_series(1, 100) as action, generate_series(1, 4000) group by action`.execute(db)

test('a copy of each backup is in the bucket, encrypted, and becomes a shop again', async () => {
  const bucket = await aBucket()
  const { shop, folder } = await aShop(bucket.env)
  await aCustomer(shop)
  await fill(shop)
  await comesTo(shop, async () => (await sent(shop)).length > 0)
  const [name = ''] = await bucket.names()
  expect([name]).toEqual(await sent(shop))
  expect((await bucket.content(name)).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
  expect(bucket.calls.filter((call) => call.includes('partNumber=2'))).toHaveLength(1)
  expect(await finding(shop)).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(/^the last was sent within the hour; it opens with KEY_ENCRYPTION_KEY alone/),
  })

  // On another machine: the bucket and the key are all there is.
  const elsewhere = { ...KEY, ...bucket.env }
  const address = `${bucket.env.BACKUP_S3}/${name}`
  const { json: listed } = await runOps(bucket.env, 'backups', '--json')
  expect(listed).toEqual([{ file: address, bytes: (await bucket.content(name)).length }])
  const target = await aTarget()
  const { code, err } = await runOps({ ...target.settings, ...elsewhere }, 'restore', address, '--yes')
  expect([code, err]).toEqual([0, ''])
  for (const table of ['customers', 'operator_actions']) {
    const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(shop.db)
    expect(await target.count(table)).toBeGreaterThanOrEqual(Number(rows[0]?.count))
  }
  const refused = await runOps({ ...elsewhere, KEY_ENCRYPTION_KEY: newKey() }, 'restore', '--check', address)
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('encrypted under another KEY_ENCRYPTION_KEY'),
  })
  const keyless = await runOps(elsewhere, 'restore', '--check', '--unverified', address)
  expect(keyless).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be read without KEY_ENCRYPTION_KEY'),
  })
  const missing = await runOps(elsewhere, 'restore', '--check', `${bucket.env.BACKUP_S3}/none.age`)
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('it is not there') })
  const other = await runOps(elsewhere, 'restore', '--check', 'http://127.0.0.1:9/hedge/x.age')
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('is no backup in BACKUP_S3') })
  expect(await readdir(folder)).toHaveLength(1)
})

test('what a bucket refuses is said in words, and the backup stays here', async () => {
  const bucket = await aBucket()
  const { shop, folder } = await aShop({ ...bucket.env, BACKUP_S3_SECRET: 'another' })
  await comesTo(shop, () => failed(shop))
  expect(await finding(shop)).toMatchObject({
    state: 'problem',
    says: expect.stringMatching(
      /^the last copy was not sent: The bucket refuses: the secret is not the key’s\./,
    ),
  })
  expect(await readdir(folder)).toHaveLength(1)
  const listed = await runOps({ ...bucket.env, BACKUP_S3_KEY: 'nobody' }, 'backups')
  expect(listed).toMatchObject({ code: 1, err: expect.stringContaining('does not know the key') })
  const nowhere = await runOps(
    { ...bucket.env, BACKUP_S3: bucket.env.BACKUP_S3.replace('hedge', 'none') },
    'backups',
  )
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('there is no such bucket') })
  const silent = await runOps({ ...bucket.env, BACKUP_S3: 'http://127.0.0.1:9/hedge' }, 'backups')
  expect(silent).toMatchObject({ code: 1, err: 'The bucket does not answer: ECONNREFUSED.\n' })
})

test('a line that breaks is tried again; an upload that cannot end is taken back, and sent anew', async () => {
  const bucket = await aBucket()
  const { shop } = await aShop(bucket.env)
  await fill(shop)
  let cuts = 0
  bucket.meet(({ method, url = '' }) => {
    if (url.includes('partNumber=2') && cuts++ === 0) return 'cut'
    return method === 'POST' && url.includes('uploadId=') ? 'cut' : 'answer'
  })
  await comesTo(shop, () => failed(shop))
  expect(await failed(shop)).toMatch(/^The bucket does not answer: /)
  expect(bucket.calls.filter((call) => call.includes('partNumber=2'))).toHaveLength(2)
  expect([await bucket.names(), await bucket.uploads()]).toEqual([[], []])
  bucket.meet(() => 'answer')
  await sql`update backups set began_at = began_at - interval '11 minutes' where machine = ''`.execute(
    shop.db,
  )
  await comesTo(shop, async () => (await sent(shop)).length > 0)
  expect(await failed(shop)).toBeUndefined()
  expect(await finding(shop)).toMatchObject({ state: 'ok' })
})

test('it removes its own old copies and nobody else’s; one that somebody takes or changes is said', async () => {
  const bucket = await aBucket()
  const { shop } = await aShop({ ...bucket.env, BACKUP_KEEP: '1' })
  const strangers = ['2020-01-01T033000000Z.backup.age', 'notes.txt']
  for (const name of strangers) await bucket.put(name, 'not ours')
  for (let night = 1; night <= 3; night++) {
    await nightFalls(shop)
    const before = await sent(shop)
    await comesTo(shop, async () => (await sent(shop)).some((name) => !before.includes(name)))
  }
  await until(async () => (await sent(shop)).length === 1)
  const [name = ''] = await sent(shop)
  expect(await bucket.names()).toEqual([...strangers, name].sort())
  const hostile = await runOps(
    { ...KEY, ...bucket.env },
    'restore',
    '--check',
    `${bucket.env.BACKUP_S3}/${strangers[0]}`,
  )
  expect(hostile).toMatchObject({ code: 1, err: expect.stringContaining('It is not a backup of the shop.') })
  const content = await bucket.content(name)
  const address = `${bucket.env.BACKUP_S3}/${name}`
  content.writeUInt8(content.readUInt8(content.length - 100) ^ 1, content.length - 100)
  await bucket.put(name, content)
  const changed = await runOps({ ...KEY, ...bucket.env }, 'restore', '--check', address)
  expect(changed).toMatchObject({ code: 1, err: expect.stringContaining('It is damaged or cut off') })
  await bucket.take(name)
  expect(await finding(shop)).toMatchObject({
    state: 'problem',
    says: `${address} is not there as it was sent`,
  })
})

test('a process that is killed while it sends leaves an upload, which the next one takes back', {
  timeout: 120_000,
}, async () => {
  const bucket = await aBucket()
  const [ground, folder] = [await openGround({ env: KEY }), await aFolder()]
  onTestFinished(ground.close)
  const start = async () =>
    startApiProcess({ ...environmentOf(ground, await freePort()), BACKUP_DIR: folder, ...bucket.env })
  bucket.meet(({ url = '' }) => (url.includes('partNumber=') ? 'hold' : 'answer'))
  const api = await start()
  await until(async () => {
    await makeDue(ground, 'make-backup')
    return bucket.calls.some((call) => call.includes('partNumber='))
  })
  expect(await bucket.uploads()).toHaveLength(1)
  await api.kill()
  bucket.meet(() => 'answer')
  await start()
  await comesTo(ground, async () => (await sent(ground)).length === 1)
  expect(await bucket.uploads()).toEqual([])
  expect(await bucket.names()).toEqual(await sent(ground))
})
