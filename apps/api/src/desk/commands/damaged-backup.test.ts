import { execFile } from 'node:child_process'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { checkBackup } from '#care/backup/read-backup.ts'
import { readSharedKeys } from '#platform/settings.ts'
import { aFolder, aTarget, backupOfFile, KEY, rewritten } from '#testing/backups.ts'
import { runOps } from '#testing/ops.ts'

const run = promisify(execFile)

const filled = backupOfFile()

/** As the tool does it, without starting it for each of many files. */
const checked = async (path: string) => {
  await using file = await open(path)
  return await checkBackup({
    open: () => file.createReadStream({ start: 0, autoClose: false }),
    keys: undefined,
    signers: readSharedKeys(KEY),
    signal: AbortSignal.any([]),
  })
}

const withHeader = (change: object) =>
  rewritten(filled.file, ([header = '', ...rest]) => [
    JSON.stringify({ ...JSON.parse(header), ...change }),
    ...rest,
  ])

describe('a file that is not a whole backup of this shop', () => {
  const refused = async (path: string, words: RegExp) => {
    const target = await aTarget()
    for (const outcome of [
      await runOps(KEY, 'restore', '--check', path),
      await target.restore(path, '--yes'),
    ]) {
      expect(outcome.err).toMatch(words)
      expect(outcome.out).toBe('')
      expect(outcome.code).toBe(1)
    }
    expect(await target.things()).toEqual([])
  }

  test('is not there', () => refused('/nowhere/x', /cannot be read: it does not exist\.\n$/))

  test('is a folder, or a pipe that nobody writes to', async () => {
    const folder = await aFolder()
    const pipe = join(folder, 'pipe')
    await run('mkfifo', [pipe])
    for (const path of [folder, pipe]) await refused(path, /cannot be read: it is not a file\.\n$/)
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
    await refused(await withHeader({ version: 2 }), /Its format is 2, and this version of the shop reads 1\./)
  })

  test('is of a newer version of the shop', async () => {
    const { migrations } = JSON.parse(
      gunzipSync(await readFile(filled.file))
        .toString('utf8')
        .split('\n')[0] ?? '',
    )
    await refused(
      await withHeader({ migrations: [...migrations, '9999-later'] }),
      /It comes from another, perhaps newer, version of the shop: this one does not know 9999-later\./,
    )
  })

  test('has a row less than was written, another value, or another count', async () => {
    const withoutOne = (lines: string[]) => lines.filter((line) => !line.includes('7@example.org'))
    await refused(await rewritten(filled.file, withoutOne, { isWhole: false }), /It is damaged/)
    const other = (lines: string[]) => lines.map((line) => line.replace('7@example.org', '8@example.org'))
    await refused(await rewritten(filled.file, other, { isWhole: false }), /It is damaged/)
    await refused(await rewritten(filled.file, withoutOne), /It is damaged/)
  })

  test('was cut, wherever it was', async () => {
    const bytes = await readFile(filled.file)
    const path = join(await aFolder(), 'cut')
    await writeFile(path, bytes.subarray(0, -8))
    await refused(path, /cannot be restored\. It is /)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        await writeFile(path, bytes.subarray(0, length))
        await expect(checked(path)).rejects.toThrow(BackupFault)
      }),
      { examples: [[bytes.length - 1], [1]] },
    )
  })

  test('has one bit that is another, wherever that changes what it holds', async () => {
    const bytes = await readFile(filled.file)
    const content = gunzipSync(bytes)
    const path = join(await aFolder(), 'flipped')
    // The bits that fill up gzip's last byte say nothing, like the time in its head.
    const isSame = (flipped: Buffer) => {
      try {
        return gunzipSync(flipped).equals(content)
      } catch {
        return false
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: bytes.length - 1 }), fc.nat(7), async (at, bit) => {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        await writeFile(path, flipped)
        if (isSame(flipped)) await expect(checked(path)).resolves.toBeDefined()
        else await expect(checked(path)).rejects.toThrow(BackupFault)
      }),
    )
  })
})
