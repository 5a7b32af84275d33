import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/client.ts'
import { migrateTables, setUpQueue } from '#platform/database/migrate.ts'
import { addresses, aFolder, aTarget, backupOfFile, connect, isAt, KEY, rewritten } from '#testing/backups.ts'
import { interruptOps, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { cloneDatabase, emptyDatabase } from '#testing/test-database.ts'

/** So many that they take a while to read back. */
const MANY = 200_000

const filled = backupOfFile()

describe('ops restore', { timeout: 90_000 }, () => {
  test('brings everything back', async () => {
    const target = await aTarget()
    const { code, json } = await target.restore(filled.file, '--yes', '--json')
    expect(code).toBe(0)
    // It holds nothing that the key could be tried on.
    expect(json).toMatchObject({ tables: { customers: 50 }, isKeyChecked: false })
    expect(await target.count('customers')).toBe(50)
    expect(await target.count('free_addresses')).toBe(json.tables.free_addresses)
  })

  test('asks first', async () => {
    const target = await aTarget()
    const nobody = await target.restore(filled.file)
    expect(nobody.err).toMatch(
      /Restore it into the database t_\w+ at .*\? There is no terminal to answer in\. .*--yes/,
    )
    expect(nobody.code).toBe(1)
    expect((await runOpsAtTerminal(target.settings, 'n\n', 'restore', filled.file)).code).toBe(1)
    expect(await target.things()).toEqual([])
    expect((await runOpsAtTerminal(target.settings, 'y\n', 'restore', filled.file)).code).toBe(0)
    expect(await target.count('customers')).toBe(50)
  })

  test('refuses a database that holds anything', async () => {
    const target = await aTarget()
    await target.client.query('create table mine (a integer)')
    const { code, err } = await target.restore(filled.file, '--yes')
    expect(err).toMatch(/^Nothing was restored\. The database is not empty\./)
    expect(code).toBe(1)
    expect(await target.things()).toEqual(['public.mine'])
  })

  test('refuses a database that a shop is connected to', async () => {
    const target = await aTarget()
    const other = new Client({ connectionString: target.url, application_name: 'hedgerow listener' })
    await other.connect()
    const { code, err } = await target.restore(filled.file, '--yes')
    await other.end()
    expect(err).toMatch(/^Nothing was restored\. A shop is connected to this database\./)
    expect(code).toBe(1)
    expect(await target.things()).toEqual([])
  })

  test('two at once: one restores, the other is refused', async () => {
    const target = await aTarget()
    const outcomes = await Promise.all([1, 2].map(() => target.restore(filled.file, '--yes')))
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
    await runOps({ DATABASE_URL: url, ...KEY }, 'backup', large)
    const target = await aTarget()
    const { code } = await interruptOps(
      target.settings,
      () => isAt(target.client, 'copy "free_addresses"%'),
      ['restore', large, '--yes'],
    )
    expect(code).toBe(130)
    expect(await target.things()).toEqual([])
    expect((await target.restore(filled.file, '--yes')).code).toBe(0)
  })

  test('wants the key, and refuses another than the shop’s', async () => {
    const target = await aTarget()
    const folder = await aFolder()
    const keyless = await runOps(
      { DATABASE_URL: target.url, DATA_DIR: folder },
      'restore',
      filled.file,
      '--yes',
    )
    expect(keyless.err).toMatch(/set KEY_ENCRYPTION_KEY or DATA_DIR as the shop has it/)
    expect(keyless.code).toBe(2)
    const sealed = await rewritten(filled.file, (lines) => {
      const header = JSON.parse(lines[0] ?? '')
      const columns: string[] = header.tables.find(({ name }: { name: string }) => name === 'peers').columns
      const id = '00000000-0000-4000-8000-000000000001'
      const values: Record<string, string> = {
        position: '5',
        ipv6_position: '\\N',
        has_own_key: 'f',
        is_kept: 'f',
        public_key: 'x',
        private_key_encrypted: '\\N',
        preshared_key_encrypted: `\\\\x${'00'.repeat(60)}`,
        revision: '\\N',
        connected_on: '\\N',
        first_connected_on: '\\N',
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
    expect(err).toMatch(/KEY_ENCRYPTION_KEY is not the key/)
    expect(code).toBe(1)
    expect(await target.things()).toEqual([])
    expect((await target.restore(await counted(sealed), '--yes', '--without-key', '--unverified')).code).toBe(
      0,
    )
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

  test('keeps nothing of what older versions put into a backup and newer ones leave out', async () => {
    const path = await rewritten(filled.file, ([top = '', ...lines]) => {
      const header = JSON.parse(top)
      const columns = [
        'token_hash',
        'purpose',
        'customer_id',
        'challenge',
        'tries',
        'created_at',
        'expires_at',
      ]
      header.tables.push({ name: 'auth_challenges', columns })
      const row = '\\\\x00\tlog-in\t\\N\tx\t0\t2026-01-01 00:00:00+00\t2999-01-01 00:00:00+00'
      return [JSON.stringify(header), ...lines.toSpliced(-1, 0, row, '\\.')]
    })
    const target = await aTarget()
    const { code, err } = await target.restore(await counted(path), '--yes')
    expect([code, err]).toEqual([0, ''])
    expect(await target.count('auth_challenges')).toBe(0)
  })

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
    expect((await runOps({ DATABASE_URL: url, ...KEY }, 'backup', path)).code).toBe(0)
    const target = await aTarget()
    expect((await target.restore(path, '--yes')).code).toBe(0)
    expect(await target.count('customers')).toBe(1)
    expect(await target.count('node_watch')).toBe(1)
    expect(await target.count("plans where name = 'Rook'")).toBe(0)
  })
})

/** A backup of a shop that has given as many invoices this year. */
const aBackupWithInvoices = async (count: number): Promise<{ file: string; year: number }> => {
  const { url, drop } = await cloneDatabase()
  onTestFinished(drop)
  const client = await connect(url)
  const { rows } = await client.query(
    `insert into invoice_counters (year, last)
      values (extract(year from now() at time zone 'Europe/London'), $1) returning year`,
    [count],
  )
  const file = join(await aFolder(), 'shop.backup')
  expect((await runOps({ DATABASE_URL: url, ...KEY }, 'backup', file)).code).toBe(0)
  return { file, year: rows[0].year }
}

describe('invoices that were sent after the backup', { timeout: 120_000 }, () => {
  test('have their numbers left out, recorded, and the next one gets the number that was said', async () => {
    const { file, year } = await aBackupWithInvoices(42)
    const target = await aTarget()
    const { code, out } = await target.restore(file, '--invoices-from', '120', '--yes')
    expect(code).toBe(0)
    expect(out).toContain(
      `The next invoice is ${year}-000120. To list the numbers left out before it: invoice next`,
    )
    const { json } = await runOps(target.settings, 'invoice', 'next', '--json')
    expect(json).toEqual({
      next: `${year}-000120`,
      missing: [
        {
          from: `${year}-000043`,
          to: `${year}-000119`,
          at: expect.stringMatching(/Z$/),
        },
      ],
    })
    const { json: audit } = await runOps(target.settings, 'audit', 'list', '--command', 'restore', '--json')
    expect(audit.rows).toMatchObject([{ outcome: 'done', arguments: { invoicesFrom: '120' } }])
  })

  test('a number that the backup has given is refused, and nothing is restored', async () => {
    const { file, year } = await aBackupWithInvoices(42)
    const target = await aTarget()
    for (const number of ['42', '1', `${year}-000042`]) {
      const { code, err } = await target.restore(file, '--invoices-from', number, '--yes')
      expect(err).toMatch(/^Nothing was restored\. The backup holds invoices up to \d{4}-000042/)
      expect(code).toBe(1)
    }
    expect(await target.things()).toEqual([])
    const wrong = await target.restore(file, '--invoices-from', 'many', '--yes')
    expect([wrong.code, await target.things()]).toEqual([2, []])
    // No gap, and none is told.
    expect((await target.restore(file, '--invoices-from', '43', '--yes')).code).toBe(0)
    const { json } = await runOps(target.settings, 'invoice', 'next', '--json')
    expect(json).toEqual({ next: `${year}-000043`, missing: [] })
  })

  test('without a number the operator is told which is next and what to look up, and can say it later, once', async () => {
    const { file, year } = await aBackupWithInvoices(42)
    const target = await aTarget()
    const { out } = await target.restore(file, '--yes')
    expect(out).toContain(`The next invoice is ${year}-000043. If invoices were sent after the backup`)
    expect(out).toContain('hedgerow-ops invoice from --number NUMBER')
    expect(out).toContain('payment unknown')
    const from = (...args: string[]) => runOps(target.settings, 'invoice', 'from', '--number', ...args)
    const asked = await from('120')
    expect(asked.err).toMatch(/There is no terminal/)
    expect(asked.code).toBe(1)
    const outcomes = await Promise.all([from('120', '--yes', '--json'), from('120', '--yes', '--json')])
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect(outcomes.map(({ json }) => json.isChanged).sort()).toEqual([false, true])
    expect(outcomes[0]?.json).toMatchObject({ next: `${year}-000120`, missing: [{ to: `${year}-000119` }] })
    const low = await from('100', '--yes')
    expect([low.code, low.err]).toEqual([1, expect.stringContaining(`up to ${year}-000119 have been issued`)])
    expect(await target.count('invoice_gaps')).toBe(1)
  })

  test('so have those of credit notes, which are numbered apart', async () => {
    const { file, year } = await aBackupWithInvoices(42)
    const target = await aTarget()
    const wrong = await target.restore(file, '--credit-notes-from', '0', '--yes')
    expect([wrong.code, await target.things()]).toEqual([2, []])
    const { code, out } = await target.restore(file, '--credit-notes-from', `CN-${year}-000012`, '--yes')
    expect(code).toBe(0)
    expect(out).toContain(`The next invoice is ${year}-000043. If invoices were sent after the backup`)
    expect(out).toContain(
      `The next credit note is CN-${year}-000012. To list the numbers left out before it: credit-note next`,
    )
    const { json } = await runOps(target.settings, 'credit-note', 'next', '--json')
    expect(json).toMatchObject({
      next: `CN-${year}-000012`,
      missing: [{ from: `CN-${year}-000001`, to: `CN-${year}-000011` }],
    })
    expect(await target.count('invoice_gaps')).toBe(0)
  })

  test('without a number the next credit note is told, too', async () => {
    const { file, year } = await aBackupWithInvoices(42)
    const target = await aTarget()
    const { out } = await target.restore(file, '--yes')
    expect(out).toContain(
      `The next credit note is CN-${year}-000001. If credit notes were sent after the backup`,
    )
    expect(out).toContain('hedgerow-ops credit-note from --number NUMBER')
  })
})
