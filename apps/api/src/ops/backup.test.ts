import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { startApiProcess } from '@hedgerow/testing/api-process'
import { interruptOps, runOps, runOpsAtTerminal } from '@hedgerow/testing/ops'
import { cloneDatabase, emptyDatabase } from '@hedgerow/testing/test-database'
import { newKey } from '@hedgerow/testing/test-shop'
import { until } from '@hedgerow/testing/until'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#database/client.ts'
import { migrateTables, setUpQueue } from '#database/migrate.ts'

const run = promisify(execFile)
const TOOL = fileURLToPath(new URL('../ops.ts', import.meta.url))

const KEY = { KEY_ENCRYPTION_KEY: newKey() }

const folderFor = async () => mkdtemp(join(tmpdir(), 'hedgerow-backup-'))

const aFolder = async () => {
  const folder = await folderFor()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const SOME = 2_000
/** So many that they take a while to read back. */
const MANY = 200_000

const addresses = (count: number) =>
  `insert into free_addresses (node_id, position)
    select id, n from nodes, generate_series(100001, ${100_000 + count}) as n`

const fill = `
  insert into customers (id, email, name, promocode, password_hash)
    select gen_random_uuid(), n || '@example.org', 'Ada', 'CODE' || n, 'x' from generate_series(1, 50) as n;
  ${addresses(SOME)}`

let shop: Awaited<ReturnType<typeof cloneDatabase>>
let shopFolder: string
/** A backup of a filled database. */
let file: string

beforeAll(async () => {
  shop = await cloneDatabase()
  const client = new Client({ connectionString: shop.url })
  await client.connect()
  await client.query(fill)
  await client.end()
  shopFolder = await folderFor()
  file = join(shopFolder, 'shop.backup')
  await run(process.execPath, [TOOL, 'backup', file], { env: { DATABASE_URL: shop.url } })
})
afterAll(async () => {
  await rm(shopFolder, { recursive: true, force: true })
  await shop.drop()
})

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const aTarget = async () => {
  const database = await emptyDatabase()
  onTestFinished(database.drop)
  const client = await connect(database.url)
  const settings = { DATABASE_URL: database.url, ...KEY }
  return {
    ...database,
    client,
    restore: (...args: string[]) => runOps(settings, 'restore', ...args),
    settings,
    /** Everything in it that somebody has made. */
    things: async (): Promise<string[]> => {
      const { rows } = await client.query(`
        select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and nspname not like 'pg\\_%'`)
      return rows.map(({ name }) => name)
    },
    count: async (table: string): Promise<number> =>
      Number((await client.query(`select count(*) from ${table}`)).rows[0].count),
  }
}

/** Waits until somebody else on the server is at a statement like this. */
const isAt = async (client: Client, statement: string): Promise<unknown> =>
  until(async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and state = 'active' and query ilike $1
        and pid <> pg_backend_pid()`,
      [statement],
    )
    return rowCount
  })

/** The same file with other lines in it. */
const rewritten = async (change: (lines: string[]) => string[], isSealed = true): Promise<string> => {
  const lines = gunzipSync(await readFile(file))
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
  const changed = change(lines.slice(0, -1))
  const trailer = JSON.parse(lines.at(-1) ?? '')
  const body = `${changed.join('\n')}\n`
  if (isSealed) trailer.sha256 = createHash('sha256').update(body).digest('hex')
  const path = join(await aFolder(), 'changed.backup')
  await writeFile(path, gzipSync(`${body}${JSON.stringify(trailer)}\n`, { level: 1 }))
  return path
}

const withHeader = (change: object) =>
  rewritten(([header = '', ...rest]) => [JSON.stringify({ ...JSON.parse(header), ...change }), ...rest])

describe('ops backup', { timeout: 60_000 }, () => {
  test('writes one file that only its owner can read, and says what it holds', async () => {
    const folder = await aFolder()
    const path = join(folder, 'shop.backup')
    const { code, json } = await runOps({ DATABASE_URL: shop.url }, 'backup', path, '--json')
    expect(code).toBe(0)
    const { size, mode } = await stat(path)
    expect(json).toMatchObject({ file: path, bytes: size, jobs: 0, tables: { customers: 50 } })
    expect(json.tables.free_addresses).toBeGreaterThanOrEqual(SOME)
    expect(json.tables).not.toHaveProperty('sessions')
    expect(mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['shop.backup'])
  })

  test('is recorded as what an operator did, and so is a restore', async () => {
    const settings = { DATABASE_URL: shop.url, HEDGEROW_OPERATOR: 'ada' }
    await runOps(settings, 'backup', join(await aFolder(), 'x'))
    const target = await aTarget()
    await runOps({ ...target.settings, HEDGEROW_OPERATOR: 'ada' }, 'restore', file, '--yes')
    for (const [url, command] of [
      [shop.url, 'backup'],
      [target.url, 'restore'],
    ] as const) {
      const { json } = await runOps({ DATABASE_URL: url }, 'audit', 'list', '--who', 'ada', '--json')
      expect(json.actions).toMatchObject([{ command, subject: null, outcome: 'done' }])
      expect(json.actions[0].arguments).not.toHaveProperty('file')
    }
    const list = ['audit', 'list', '--command', 'backup', '--json']
    const { json } = await runOps(target.settings, ...list)
    expect(json.actions, 'the record of the backup that was restored').toMatchObject([{ outcome: 'done' }])
  })

  test('says that the key is kept apart', async () => {
    const { out } = await runOps({ DATABASE_URL: shop.url }, 'backup', join(await aFolder(), 'x'))
    expect(out).toMatch(/holds the shop as of \d\d\/\d\d\/\d{4} \d\d:\d\d: \d,\d{3} rows in \d+ tables/)
    expect(out).toContain('KEY_ENCRYPTION_KEY is not in it.')
  })

  test('replaces no file, unless that is meant', async () => {
    const path = join(await aFolder(), 'shop.backup')
    await writeFile(path, 'precious')
    const refused = await runOps({ DATABASE_URL: shop.url }, 'backup', path)
    expect(refused).toMatchObject({ code: 1, err: `${path} is there already. Say --force to replace it.\n` })
    expect(await readFile(path, 'utf8')).toBe('precious')
    expect((await runOps({ DATABASE_URL: shop.url }, 'backup', path, '--force')).code).toBe(0)
    expect((await runOps({}, 'restore', '--check', path)).code).toBe(0)
  })

  test('that was refused is recorded as refused', async () => {
    await runOps({ DATABASE_URL: shop.url, HEDGEROW_OPERATOR: 'again' }, 'backup', file)
    const { json } = await runOps({ DATABASE_URL: shop.url }, 'audit', 'list', '--who', 'again', '--json')
    expect(json.actions).toMatchObject([{ command: 'backup', outcome: 'refused' }])
  })

  test('two at once with one name leave one whole file', async () => {
    const folder = await aFolder()
    const path = join(folder, 'shop.backup')
    const outcomes = await Promise.all([1, 2].map(() => runOps({ DATABASE_URL: shop.url }, 'backup', path)))
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    expect((await runOps({}, 'restore', '--check', path)).code).toBe(0)
    expect(await readdir(folder)).toEqual(['shop.backup'])
  })

  test('goes to a program that reads it', async () => {
    const path = join(await aFolder(), 'piped.backup')
    const command = `'${process.execPath}' '${TOOL}' backup - > '${path}'`
    const { stderr } = await run('sh', ['-c', command], {
      env: { DATABASE_URL: shop.url },
    })
    expect(stderr).toContain('KEY_ENCRYPTION_KEY is not in it.')
    expect((await runOps({}, 'restore', '--check', path)).code).toBe(0)
  })

  test('refuses a folder that is not there, and one that is a file', async () => {
    const folder = await aFolder()
    await writeFile(join(folder, 'file'), '')
    for (const path of [join(folder, 'no', 'x'), join(folder, 'file', 'x'), folder]) {
      const { code, err } = await runOps({ DATABASE_URL: shop.url }, 'backup', path)
      expect(err).toMatch(/cannot be written: (the folder is not there|it is a folder)\.\n$/)
      expect(code).toBe(1)
    }
    expect(await readdir(folder)).toEqual(['file'])
  })

  test('puts no file in the place of a pipe or a device, even where it may replace one', async () => {
    const pipe = join(await aFolder(), 'pipe')
    await run('mkfifo', [pipe])
    for (const more of [[], ['--force']]) {
      const { code, err } = await runOps({ DATABASE_URL: shop.url }, 'backup', pipe, ...more)
      expect([code, err]).toEqual([1, `${pipe} cannot be written: it is no file.\n`])
    }
    expect((await stat(pipe)).isFIFO()).toBe(true)
  })

  test('is where it was called, in whatever folder npm runs it', async () => {
    const folder = await aFolder()
    const { out, code } = await runOps({ DATABASE_URL: shop.url, INIT_CWD: folder }, 'backup', 'mine')
    expect([code, out]).toEqual([0, expect.stringContaining(join(folder, 'mine'))])
    expect((await runOps({ INIT_CWD: folder }, 'restore', '--check', 'mine')).code).toBe(0)
  })

  test('says when a name is too long', async () => {
    const path = join(await aFolder(), 'x'.repeat(300))
    const { code, err } = await runOps({ DATABASE_URL: shop.url }, 'backup', path)
    expect([code, err]).toEqual([1, `${path} cannot be written: its name is too long.\n`])
  })

  test('leaves nothing behind where the disk takes no more', async () => {
    const folder = await aFolder()
    const written = run('prlimit', ['--fsize=4000', process.execPath, TOOL, 'backup', join(folder, 'x')], {
      env: { DATABASE_URL: shop.url, PATH: process.env.PATH },
    })
    await expect(written).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/x cannot be written: a file may not be so large here\.\n$/),
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('interrupted, it ends at once and leaves nothing behind', async () => {
    const folder = await aFolder()
    const [holder, watcher] = [await connect(shop.url), await connect(shop.url)]
    await holder.query('begin')
    await holder.query('lock table peers in access exclusive mode')
    const { code } = await interruptOps(
      { DATABASE_URL: shop.url },
      () => isAt(watcher, 'lock table%'),
      'backup',
      join(folder, 'x'),
    )
    expect(code).toBe(130)
    expect(await readdir(folder)).toEqual([])
    await holder.query('rollback')
  })

  test('a table that came while nobody looked is in it', async () => {
    const { url, drop } = await cloneDatabase()
    onTestFinished(drop)
    const client = await connect(url)
    await client.query(`
      create table "Odd ""name" (id integer generated always as identity primary key, twice integer generated always as (id * 2) stored,
        next integer references "Odd ""name" deferrable initially deferred, note text);
      create sequence standing start 40;
      select nextval('standing');
      insert into "Odd ""name" (next, note) values (2, E'\\\\.\\nA'), (1, null)`)
    const path = join(await aFolder(), 'x')
    await runOps({ DATABASE_URL: url }, 'backup', path)
    const lines = gunzipSync(await readFile(path)).toString('utf8')
    expect(lines).toContain('1\t2\t\\\\.\\nA\n2\t1\t\\N\n')
    expect(JSON.parse(lines.split('\n')[0] ?? '')).toMatchObject({
      sequences: expect.arrayContaining([{ name: 'standing', value: '40', isCalled: true }]),
    })
    // No migration of ours makes it, so there is nowhere to put it.
    const target = await aTarget()
    const { code, err } = await target.restore(path, '--yes')
    expect(err).toMatch(
      /^Nothing was restored\. It does not fit its own migrations: see the table Odd "name\.\n$/,
    )
    expect(code).toBe(1)
    expect(await target.things()).toEqual([])
  })
})

describe('ops restore', { timeout: 90_000 }, () => {
  test('brings everything back, and goes on numbering where it was', async () => {
    const target = await aTarget()
    const { code, json } = await target.restore(file, '--yes', '--json')
    expect(code).toBe(0)
    expect(json).toMatchObject({ tables: { customers: 50 }, isKeyChecked: true })
    expect(await target.count('customers')).toBe(50)
    expect(await target.count('free_addresses')).toBe(json.tables.free_addresses)
  })

  test('asks first', async () => {
    const target = await aTarget()
    const nobody = await target.restore(file)
    expect(nobody.err).toMatch(
      /It goes into the database t_\w+ at .*Restore it\? Nobody can be asked here; --yes/,
    )
    expect(nobody.code).toBe(1)
    expect((await runOpsAtTerminal(target.settings, 'n\n', 'restore', file)).code).toBe(1)
    expect(await target.things()).toEqual([])
    expect((await runOpsAtTerminal(target.settings, 'y\n', 'restore', file)).code).toBe(0)
    expect(await target.count('customers')).toBe(50)
  })

  test('refuses a database that holds anything', async () => {
    const target = await aTarget()
    await target.client.query('create table mine (a integer)')
    const { code, err } = await target.restore(file, '--yes')
    expect(err).toMatch(/^Nothing was restored\. The database is not empty\./)
    expect(code).toBe(1)
    expect(await target.things()).toEqual(['public.mine'])
  })

  test('refuses a database that a shop is connected to', async () => {
    const target = await aTarget()
    const other = new Client({ connectionString: target.url, application_name: 'hedgerow listener' })
    await other.connect()
    const { code, err } = await target.restore(file, '--yes')
    await other.end()
    expect(err).toMatch(/^Nothing was restored\. A shop is connected to this database\./)
    expect(code).toBe(1)
    expect(await target.things()).toEqual([])
  })

  test('two at once: one restores, the other is refused', async () => {
    const target = await aTarget()
    const outcomes = await Promise.all([1, 2].map(() => target.restore(file, '--yes')))
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(outcomes.map(({ err }) => err).join('')).toMatch(
      /^Nothing was restored\. (Another restore|The database is not)/,
    )
    expect(await target.count('customers')).toBe(50)
  })

  test('interrupted half-way, it leaves the database empty, and can be run again', async () => {
    const { url, drop } = await cloneDatabase()
    onTestFinished(drop)
    await (await connect(url)).query(addresses(MANY))
    const large = join(await aFolder(), 'large.backup')
    await runOps({ DATABASE_URL: url }, 'backup', large)
    const target = await aTarget()
    const { code } = await interruptOps(
      target.settings,
      () => isAt(target.client, 'copy "free_addresses"%'),
      'restore',
      large,
      '--yes',
    )
    expect(code).toBe(130)
    expect(await target.things()).toEqual([])
    expect((await target.restore(file, '--yes')).code).toBe(0)
  })

  test('wants the key, and refuses another than the shop’s', async () => {
    const target = await aTarget()
    const folder = await aFolder()
    const keyless = await runOps({ DATABASE_URL: target.url, DATA_DIR: folder }, 'restore', file, '--yes')
    expect(keyless.err).toMatch(/^Set KEY_ENCRYPTION_KEY as the shop has it/)
    expect(keyless.code).toBe(2)
    const sealed = await rewritten((lines) => {
      const header = JSON.parse(lines[0] ?? '')
      const columns: string[] = header.tables.find(({ name }: { name: string }) => name === 'peers').columns
      const id = '00000000-0000-4000-8000-000000000001'
      const values: Record<string, string> = {
        position: '5',
        public_key: 'x',
        private_key_encrypted: '\\N',
        preshared_key_encrypted: `\\\\x${'00'.repeat(60)}`,
        revision: '\\N',
        connected_on: '\\N',
        bytes_received: '0',
        bytes_sent: '0',
        replaced_at: '\\N',
        removed_at: '\\N',
        created_at: '2026-01-01 00:00:00+00',
      }
      const row = columns.map((name) => values[name] ?? id).join('\t')
      let before = header.tables.findIndex(({ name }: { name: string }) => name === 'peers')
      const at = lines.findIndex((line) => line === '\\.' && before-- === 0)
      return lines.toSpliced(at, 0, row)
    })
    const { code, err } = await target.restore(await counted(sealed), '--yes')
    expect(err).toMatch(/KEY_ENCRYPTION_KEY is not the one/)
    expect(code).toBe(1)
    expect(await target.things()).toEqual([])
    expect((await target.restore(await counted(sealed), '--yes', '--without-key')).code).toBe(0)
  })

  /** The same with the counts that its rows have. */
  const counted = async (path: string): Promise<string> => {
    const lines = gunzipSync(await readFile(path))
      .toString('utf8')
      .split('\n')
      .slice(0, -1)
    const header = JSON.parse(lines[0] ?? '')
    const trailer = JSON.parse(lines.at(-1) ?? '')
    let at = 1
    for (const { name } of header.tables) {
      const end = lines.indexOf('\\.', at)
      trailer.rows[name] = end - at
      at = end + 1
    }
    await writeFile(
      path,
      gzipSync(`${lines.slice(0, -1).join('\n')}\n${JSON.stringify(trailer)}\n`, { level: 1 }),
    )
    return path
  }

  test('brings a backup of an older version up to date', async () => {
    const { url, drop } = await emptyDatabase()
    onTestFinished(drop)
    const old = openDatabase(url, () => undefined, 2)
    await migrateTables(old.db, '0011-peers')
    await setUpQueue(old)
    await old.pool.query(`insert into customers (id, email, name, promocode, password_hash)
      values (gen_random_uuid(), 'ada@example.org', 'Ada', 'CODE', 'x')`)
    await old.pool.query(`delete from plans where name = 'Rook'`)
    await old.pool.end()
    const path = join(await aFolder(), 'old.backup')
    expect((await runOps({ DATABASE_URL: url }, 'backup', path)).code).toBe(0)
    const target = await aTarget()
    expect((await target.restore(path, '--yes')).code).toBe(0)
    expect(await target.count('customers')).toBe(1)
    expect(await target.count('node_watch')).toBe(1)
    expect(await target.count("plans where name = 'Rook'")).toBe(0)
  })
})

describe('a file that is not a whole backup of this shop', { timeout: 60_000 }, () => {
  const refused = async (path: string, words: RegExp) => {
    const target = await aTarget()
    for (const outcome of [
      await runOps({}, 'restore', '--check', path),
      await target.restore(path, '--yes'),
    ]) {
      expect(outcome.err).toMatch(words)
      expect(outcome.out).toBe('')
      expect(outcome.code).toBe(1)
    }
    expect(await target.things()).toEqual([])
  }

  test('is not there', () => refused('/nowhere/x', /cannot be read: it is not there\.\n$/))

  test('is a folder, or a pipe that nobody writes to', async () => {
    const folder = await aFolder()
    const pipe = join(folder, 'pipe')
    await run('mkfifo', [pipe])
    for (const path of [folder, pipe]) await refused(path, /cannot be read: it is no file\.\n$/)
  })

  test.each([
    ['', 'is empty'],
    ['PGDMP', 'is something else'],
    [gzipSync('create table x'), 'is something else that is compressed'],
    [gzipSync('{"format":"photos"}\n'), 'is another program’s'],
  ] as [string | Buffer, string][])('%j: %s', async (content, _what) => {
    const path = join(await aFolder(), 'x')
    await writeFile(path, content)
    await refused(
      path,
      /cannot be restored\. It is (not a backup of the shop|cut off: its end is missing)\.\n$/,
    )
  })

  test('is of a later format', async () => {
    await refused(await withHeader({ version: 2 }), /Its format is 2, and this version of the shop knows 1\./)
  })

  test('is of a newer version of the shop', async () => {
    const { migrations } = JSON.parse(
      gunzipSync(await readFile(file))
        .toString('utf8')
        .split('\n')[0] ?? '',
    )
    await refused(
      await withHeader({ migrations: [...migrations, '9999-later'] }),
      /It is of another, perhaps newer version of the shop: this one does not know 9999-later\./,
    )
  })

  test('has a row less than was written, another value, or another count', async () => {
    await refused(await rewritten((lines) => lines.toSpliced(4, 1), false), /It is damaged/)
    const other = (lines: string[]) => lines.map((line) => line.replace('7@example.org', '8@example.org'))
    await refused(await rewritten(other, false), /It is damaged/)
    await refused(await rewritten((lines) => lines.toSpliced(4, 1)), /It is damaged/)
  })

  test('was cut, wherever it was', async () => {
    const { size } = await stat(file)
    const path = join(await aFolder(), 'cut')
    const bytes = await readFile(file)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: size - 1 }), async (length) => {
        await writeFile(path, bytes)
        await truncate(path, length)
        expect((await runOps({}, 'restore', '--check', path)).code).toBe(1)
      }),
      { numRuns: 8, examples: [[size - 1], [size - 8], [1]] },
    )
  })

  test('has one bit that is another, wherever it is', async () => {
    const bytes = await readFile(file)
    const path = join(await aFolder(), 'flipped')
    // Before that is gzip's own head, with a time that says nothing.
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 10, max: bytes.length - 1 }), fc.nat(7), async (at, bit) => {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        await writeFile(path, flipped)
        const { code, err } = await runOps({}, 'restore', '--check', path)
        expect(err).toMatch(/cannot be restored\. It is /)
        expect(code).toBe(1)
      }),
      { numRuns: 10 },
    )
  })
})

describe('on the embedded database', { timeout: 120_000 }, () => {
  const dataFolder = async () => {
    const folder = await aFolder()
    onTestFinished(async () => {
      if (await findRunning(folder)) await (await startPostgres({ dataDir: folder })).stop()
    })
    return folder
  }
  const startShop = async (folder: string) =>
    startApiProcess({
      DATA_DIR: folder,
      PORT: String(await freePort()),
      METRICS_PORT: '0',
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: 'silent',
    })

  test('a backup is taken beside the shop and without it, and becomes a shop in a new folder', async () => {
    const [old, fresh, files] = [await dataFolder(), await dataFolder(), await aFolder()]
    const shop = await startShop(old)
    const signup = {
      name: 'Ada',
      email: 'ada@example.org',
      signupPassword: 'a wren in the hedge 42',
      acceptTerms: true,
    }
    expect((await shop.call('POST', '/api/v1/user/create', { body: signup })).status).toBeLessThan(300)
    const beside = join(files, 'beside')
    expect(await runOps({ DATA_DIR: old }, 'backup', beside)).toMatchObject({ code: 0, err: '' })
    const busy = await runOps({ DATA_DIR: old }, 'restore', beside, '--yes')
    expect(busy.err).toMatch(/is in use by another running shop/)
    expect(busy.code).not.toBe(0)
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    await shop.stop()
    const without = join(files, 'without')
    expect((await runOps({ DATA_DIR: old }, 'backup', without)).code).toBe(0)
    expect(await findRunning(old)).toBeUndefined()

    await mkdir(fresh, { recursive: true })
    const keyless = await runOps({ DATA_DIR: fresh }, 'restore', without, '--yes')
    expect(keyless.err).toMatch(/there is no .*key-encryption-key/)
    expect(keyless.code).toBe(2)
    await writeFile(join(fresh, 'key-encryption-key'), await readFile(join(old, 'key-encryption-key')))
    expect(await runOps({ DATA_DIR: fresh }, 'restore', without, '--yes')).toMatchObject({ code: 0, err: '' })
    expect(await findRunning(fresh)).toBeUndefined()
    const again = await startShop(fresh)
    const taken = await again.call('POST', '/api/v1/user/create', { body: signup })
    expect(taken.status).toBe(406)
    expect(await again.stop()).toBe(0)
  })
})
