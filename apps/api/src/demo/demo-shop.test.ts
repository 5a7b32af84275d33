import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@hedgerow/sandbox/app'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { programFile } from '@hedgerow/testing/programs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import { parseMonth } from '#accounting/month-end/month.ts'
import { listAlerts } from '#care/overview/alerts.ts'
import { TOLD_THE_TIME } from '#demo/clock.ts'
import { fillNodeDays } from '#demo/finish.ts'
import { type DemoMade, makeDemoShop } from '#demo/make-shop.ts'
import { finishPlaces } from '#demo/places.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { readSettings, requireGate } from '#platform/settings.ts'
import { runOps } from '#testing/ops.ts'
import { cloneDatabase, type TestDatabase } from '#testing/test-database.ts'
import { newKey } from '#testing/test-shop.ts'

const KEY = newKey()
const END = new Date()
const SIZE = { seed: 5, customers: 40, days: 30, end: END }

type Shop = { db: Db; database: TestDatabase; made: DemoMade; said: string[] }

const makeShop = async (): Promise<Shop> => {
  const database = await cloneDatabase()
  const { db } = openDatabase(database.url, () => undefined, 4, TOLD_THE_TIME)
  const said: string[] = []
  const settings = requireGate(
    readSettings({ DATABASE_URL: database.url, KEY_ENCRYPTION_KEY: KEY, LOG_LEVEL: 'silent' }),
  )
  const made = await makeDemoShop(db, settings, SIZE, (line) => said.push(line))
  return { db, database, made, said }
}

const close = async ({ db, database }: Shop) => {
  await db.destroy()
  await database.drop()
}

let shop: Shop
beforeAll(async () => {
  shop = await makeShop()
}, 120_000)
afterAll(() => close(shop))

/** What may not hang on anything but the seed: ids and keys are chance. */
const lifeOf = async ({ db }: Pick<Shop, 'db'>) => ({
  people: await db.selectFrom('customers').select(['name', 'email', 'created_at']).orderBy('email').execute(),
  payments: await db
    .selectFrom('payments')
    .innerJoin('customers', 'customers.id', 'payments.customer_id')
    .select(['email', 'charged_minor', 'charged_currency', 'method', 'status', 'refunded_minor'])
    .select(['payments.created_at', 'payments.ended_at'])
    .orderBy('payments.created_at')
    .orderBy('email')
    .execute(),
  said: await db
    .selectFrom('conversation_messages')
    .select(['author', 'text', 'created_at'])
    .orderBy('created_at')
    .orderBy('text')
    .execute(),
})

const countOf = async (db: Db, from: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(from)}`.execute(db)
  return rows[0]?.n ?? 0
}

describe('a demonstration shop', () => {
  test('has sales, declines, refunds, a dispute, talks and nodes, all of its past', async () => {
    const { db } = shop
    for (const [from, least] of [
      ["payments where status = 'Success'", 15],
      ["payments where status = 'Decline'", 1],
      ["refunds where status = 'Success'", 1],
      ['disputes', 1],
      ["conversations where state = 'closed'", 5],
      ['nodes where agent_hash is not null', 3],
      ['operators', 6],
      ['node_days', 60],
      ['node_hours where minutes = 60', 2_000],
      ['node_minutes where peers is not null', 4_400],
    ] as const)
      expect(await countOf(db, from), from).toBeGreaterThanOrEqual(least)
    expect(await countOf(db, `payments where created_at > '${END.toISOString()}'`)).toBe(0)
    expect(shop.said.at(-1)).toMatch(/day \d+ of 30: \d+ customers, \d+ sales/)
  })

  test('can be made late on an evening after the clocks went back, when a day of its past had 25 hours', async () => {
    await fillNodeDays(shop, { days: 90, end: Date.parse('2026-11-28T23:30:00Z') })
    const from = "node_days where day between '2026-10-20' and '2026-10-29'"
    expect(await countOf(shop.db, from)).toBe(30)
  })

  test('is the same for the same seed: people, sums, times and words', async () => {
    const other = await makeShop()
    onTestFinished(() => close(other))
    const [one, again] = [await lifeOf(shop), await lifeOf(other)]
    expect(again).toEqual(one)
    expect(one.payments.length).toBeGreaterThan(20)
  }, 120_000)

  test('agrees with itself in every month', async () => {
    for (const at of [new Date(END.getTime() - SIZE.days * 86_400_000), END]) {
      const month = parseMonth(at.toISOString().slice(0, 7))
      if (!month) throw new Error('no month')
      const { lines } = await checkMonth(shop, month, END)
      expect(lines.filter(({ agrees }) => !agrees)).toEqual([])
    }
    expect(await checkBooks(shop)).toEqual([])
  })

  test('says of every payment what the books of the sandbox say', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'demo-books-'))
    await writeFile(join(dataDir, 'books.jsonl'), shop.made.journal)
    const sandbox = await startSandbox({ port: 0, smtpPort: 0, dataDir })
    onTestFinished(async () => {
      await sandbox.close()
      await rm(dataDir, { recursive: true })
    })
    const env = { DATABASE_URL: shop.database.url, GATE_URL: sandbox.url, KEY_ENCRYPTION_KEY: KEY }
    const { out, code } = await runOps(env, 'reconcile', '--days', '40')
    expect(out).toMatch(/payments compared, no difference/)
    expect(code).toBe(0)
  })

  test('waits for its operator with nothing but what is to be seen there', async () => {
    // On a busy machine, the shop may be older by now than a node may be silent.
    await finishPlaces(shop)
    const names = (await listAlerts(shop.db)).map(({ name }) => name).toSorted()
    const meant = ['ApplicationNew', 'DisputeOpen', 'JobsGivenUp', 'SupportUnanswered', 'WithdrawalAsked']
    expect(names.filter((name) => !meant.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['ApplicationNew', 'JobsGivenUp', 'SupportUnanswered']))
  })

  test('has no mail to send, and no other job: what was given up stays so', async () => {
    expect(await countOf(shop.db, 'graphile_worker.jobs where attempts < max_attempts')).toBe(0)
    expect(await countOf(shop.db, 'graphile_worker.jobs')).toBe(1)
    expect(await countOf(shop.db, "customers where email not like '%.example'")).toBe(0)
  })

  test('is told the real time again, by tables and by the process', async () => {
    const defaultsOf = async (db: Db) => {
      const { rows } = await sql<{ name: string; text: string }>`
        select adrelid::regclass::text || ' ' || adnum as name, pg_get_expr(adbin, adrelid) as text from pg_attrdef
        join pg_class on pg_class.oid = adrelid and relnamespace = 'public'::regnamespace order by 1`.execute(
        db,
      )
      return rows
    }
    const fresh = await cloneDatabase()
    const plain = openDatabase(fresh.url, () => undefined, 1)
    const same = openDatabase(shop.database.url, () => undefined, 1)
    onTestFinished(async () => {
      await plain.pool.end()
      await same.pool.end()
      await fresh.drop()
    })
    expect(await defaultsOf(same.db)).toEqual(await defaultsOf(plain.db))
    expect(await countOf(same.db, "pg_namespace where nspname = 'demo_clock'")).toBe(0)
    expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(5_000)
  })
})

const aFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

const make = async (env: Record<string, string>) => {
  const program = await programFile('apps/api/src/demo/main.ts')
  const child = spawn(process.execPath, [program, 'make', '--customers', '1'], {
    env: { ...programEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code] = await once(child, 'close')
  return { err, code }
}

describe('is refused, and nothing is touched,', () => {
  test.each([
    ['in production', { NODE_ENV: 'production' }, /not made with NODE_ENV=production/],
    ['with a database of somebody’s', { DATABASE_URL: 'postgres://127.0.0.1:1/shop' }, /Unset DATABASE_URL/],
    ['with a mail server of somebody’s', { SMTP_URL: 'smtp://127.0.0.1:1' }, /Unset SMTP_URL/],
  ] as const)('%s', async (_, env, words) => {
    const dir = aFolder()
    const { err, code } = await make({ DATA_DIR: dir, ...env })
    expect(err).toMatch(words)
    expect(code).toBe(1)
    expect(await readdir(dir)).toEqual([])
  })

  test('in the folder of a shop that sells', async () => {
    const dir = aFolder()
    await mkdir(join(dir, 'postgres'))
    await writeFile(join(dir, 'key-encryption-key'), 'kept')
    const { err, code } = await make({ DATA_DIR: dir })
    expect(err).toContain('holds something other than a demonstration shop')
    expect(code).toBe(1)
    expect(await readFile(join(dir, 'key-encryption-key'), 'utf8')).toBe('kept')
  })
})
