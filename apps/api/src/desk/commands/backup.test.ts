import { execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aTarget, backupOfFile, connect, isAt, KEY, SOME } from '#testing/backups.ts'
import { interruptOps, opsProgram, runOps } from '#testing/ops.ts'
import { cloneDatabase } from '#testing/test-database.ts'

const run = promisify(execFile)

const filled = backupOfFile()

describe('ops backup', () => {
  test('writes one file that only its owner can read, and says what it holds', async () => {
    const folder = await aFolder()
    const path = join(folder, 'shop.backup')
    const { code, json } = await runOps({ DATABASE_URL: filled.url, ...KEY }, 'backup', path, '--json')
    expect(code).toBe(0)
    const { size, mode } = await stat(path)
    expect(json).toMatchObject({ file: path, bytes: size, jobs: 0, tables: { customers: 50 } })
    expect(json.tables.free_addresses).toBeGreaterThanOrEqual(SOME)
    expect(json.tables).not.toHaveProperty('sessions')
    expect(mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['shop.backup'])
  })

  test('is recorded as what an operator did, and so is a restore', async () => {
    const settings = { DATABASE_URL: filled.url, ...KEY, HEDGEROW_OPERATOR: 'ada' }
    await runOps(settings, 'backup', join(await aFolder(), 'x'))
    const target = await aTarget()
    await runOps({ ...target.settings, HEDGEROW_OPERATOR: 'ada' }, 'restore', filled.file, '--yes')
    for (const [url, command] of [
      [filled.url, 'backup'],
      [target.url, 'restore'],
    ] as const) {
      const { json } = await runOps({ DATABASE_URL: url }, 'audit', 'list', '--who', 'ada', '--json')
      expect(json.rows).toMatchObject([{ command, subject: null, outcome: 'done' }])
      expect(json.rows[0].arguments).not.toHaveProperty('file')
    }
    const list = ['audit', 'list', '--command', 'backup', '--json']
    const { json } = await runOps(target.settings, ...list)
    expect(json.rows, 'the record of the backup that was restored').toMatchObject([{ outcome: 'done' }])
  })

  test('replaces no file, unless that is meant; that it was refused is recorded', async () => {
    const path = join(await aFolder(), 'shop.backup')
    await writeFile(path, 'precious')
    const settings = { DATABASE_URL: filled.url, ...KEY, HEDGEROW_OPERATOR: 'again' }
    const refused = await runOps(settings, 'backup', path)
    expect(refused).toMatchObject({ code: 1, err: `${path} already exists. To replace it, add --force.\n` })
    expect(await readFile(path, 'utf8')).toBe('precious')
    const { json } = await runOps(settings, 'audit', 'list', '--who', 'again', '--json')
    expect(json.rows).toMatchObject([{ command: 'backup', outcome: 'refused' }])
    expect((await runOps(settings, 'backup', path, '--force')).code).toBe(0)
    expect((await runOps(KEY, 'restore', '--check', path)).code).toBe(0)
  })

  test('two at once with one name leave one whole file', async () => {
    const folder = await aFolder()
    const path = join(folder, 'shop.backup')
    const outcomes = await Promise.all(
      [1, 2].map(() => runOps({ DATABASE_URL: filled.url, ...KEY }, 'backup', path)),
    )
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    expect((await runOps(KEY, 'restore', '--check', path)).code).toBe(0)
    expect(await readdir(folder)).toEqual(['shop.backup'])
  })

  test('goes to a program that reads it', async () => {
    const path = join(await aFolder(), 'piped.backup')
    const command = `'${process.execPath}' '${await opsProgram()}' backup - > '${path}'`
    const { stderr } = await run('sh', ['-c', command], {
      env: { DATABASE_URL: filled.url, ...KEY },
    })
    expect(stderr).toContain('KEY_ENCRYPTION_KEY is not in it.')
    expect((await runOps(KEY, 'restore', '--check', path)).code).toBe(0)
  })

  test('refuses a folder that is not there, one that is a file, and a name that is too long', async () => {
    const folder = await aFolder()
    await writeFile(join(folder, 'file'), '')
    for (const path of [
      join(folder, 'no', 'x'),
      join(folder, 'file', 'x'),
      folder,
      join(folder, 'x'.repeat(300)),
    ]) {
      const { code, err } = await runOps({ DATABASE_URL: filled.url, ...KEY }, 'backup', path)
      expect(err).toMatch(
        /cannot be written: (the folder is not there|it is a folder|its name is too long)\.\n$/,
      )
      expect(code).toBe(1)
    }
    expect(await readdir(folder)).toEqual(['file'])
  })

  test('puts no file in the place of a pipe or a device, even where it may replace one', async () => {
    const pipe = join(await aFolder(), 'pipe')
    await run('mkfifo', [pipe])
    for (const more of [[], ['--force']]) {
      const { code, err } = await runOps({ DATABASE_URL: filled.url, ...KEY }, 'backup', pipe, ...more)
      expect([code, err]).toEqual([1, `${pipe} cannot be written: it is no file.\n`])
    }
    expect((await stat(pipe)).isFIFO()).toBe(true)
  })

  test('is where it was called, in whatever folder npm runs it, and says that the key is kept apart', async () => {
    const folder = await aFolder()
    const { out, code } = await runOps(
      { DATABASE_URL: filled.url, ...KEY, INIT_CWD: folder },
      'backup',
      'mine',
    )
    expect([code, out]).toEqual([0, expect.stringContaining(join(folder, 'mine'))])
    expect(out).toMatch(/holds the shop as of \d\d\/\d\d\/\d{4} \d\d:\d\d: \d,\d{3} rows in \d+ tables/)
    expect(out).toContain('KEY_ENCRYPTION_KEY is not in it.')
    expect((await runOps({ ...KEY, INIT_CWD: folder }, 'restore', '--check', 'mine')).code).toBe(0)
  })

  test('leaves nothing behind where the disk takes no more', async () => {
    const folder = await aFolder()
    const written = run(
      'prlimit',
      ['--fsize=4000', process.execPath, await opsProgram(), 'backup', join(folder, 'x')],
      {
        env: { DATABASE_URL: filled.url, ...KEY, PATH: process.env.PATH },
      },
    )
    await expect(written).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/x cannot be written: a file may not be so large here\.\n$/),
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('interrupted, it ends at once and leaves nothing behind', async () => {
    const folder = await aFolder()
    const [holder, watcher] = [await connect(filled.url), await connect(filled.url)]
    await holder.query('begin')
    await holder.query('lock table peers in access exclusive mode')
    const { code } = await interruptOps(
      { DATABASE_URL: filled.url, ...KEY },
      () => isAt(watcher, 'lock table%'),
      ['backup', join(folder, 'x')],
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
    await runOps({ DATABASE_URL: url, ...KEY }, 'backup', path)
    const lines = gunzipSync(await readFile(path)).toString('utf8')
    expect(lines).toContain('1\t2\t\\\\.\\nA\n2\t1\t\\N\n')
    expect(JSON.parse(lines.split('\n')[0] ?? '')).toMatchObject({
      sequences: expect.arrayContaining([{ name: 'standing', value: '40', isCalled: true }]),
    })
    // No migration of ours makes it, so there is nowhere to put it.
    const target = await aTarget()
    const { code, err } = await target.restore(path, '--yes')
    expect(err).toMatch(
      /^Nothing was restored\. It does not match its own migrations: see the table Odd "name\.\n$/,
    )
    expect(code).toBe(1)
    expect(await target.things()).toEqual([])
  })
})
