import { copyFile, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { checkBackup, readBackup } from '#care/backup/read-backup.ts'
import { restoreBackup } from '#care/backup/restore-backup.ts'
import { openShopsKeys } from '#care/keys/shops-keys.ts'
import { openDatabase } from '#platform/database/client.ts'
import { readSharedKeys } from '#platform/settings.ts'
import { AS_IT_WAS, aFolder, aTarget, backupOfFile, KEY, NOBODY, rewritten } from '#testing/backups.ts'
import { runOps } from '#testing/ops.ts'
import { cloneDatabase } from '#testing/test-database.ts'
import { newKey } from '#testing/test-shop.ts'

const filled = backupOfFile()

const NOTHING_THERE = { ...KEY, DATABASE_URL: 'postgres://shop@127.0.0.1:9/nothing' }

const asIs = (lines: string[]) => lines
const otherAddress = (lines: string[]) =>
  lines.map((line) => line.replace('\t7@example.org\t', '\tthief@example.org\t'))

/** The first two tables in each other's place, in the header too, so that all counts are right. */
const swapped = ([top = '', ...lines]: string[]) => {
  const header = JSON.parse(top)
  const [first, second] = [lines.indexOf('\\.') + 1, lines.indexOf('\\.', lines.indexOf('\\.') + 1) + 1]
  const [one, other, ...rest] = header.tables
  return [
    JSON.stringify({ ...header, tables: [other, one, ...rest] }),
    ...lines.slice(first, second),
    ...lines.slice(0, first),
    ...lines.slice(second),
  ]
}

test.each([
  ['has no signature, like those of older versions', asIs, NOBODY, /It has no signature: /],
  ['was changed and lost its signature', otherAddress, NOBODY, /It has no signature: /],
  ['was changed', otherAddress, AS_IT_WAS, /Its signature is wrong: /],
  ['has its tables in another order', swapped, AS_IT_WAS, /Its signature is wrong: /],
  [
    'another shop wrote',
    asIs,
    newKey(),
    /It was signed by the key [0-9a-f]{6}, and this shop was given [0-9a-f]{6}: it comes from another shop/,
  ],
])(
  'a backup that %s is refused before the database is opened, and restored by a flag',
  async (_, change, signedBy, words) => {
    const path = await rewritten(filled.file, change, { signedBy })
    for (const outcome of [
      await runOps(NOTHING_THERE, 'restore', path, '--yes'),
      await runOps(KEY, 'restore', '--check', path),
    ]) {
      expect(outcome.err).toMatch(words)
      expect(outcome).toMatchObject({ code: 1, out: '' })
    }
    const checked = await runOps({}, 'restore', '--check', path, '--unverified')
    expect(checked.out).toContain('Who wrote it was not looked at.')
    const target = await aTarget()
    const { code, json } = await target.restore(path, '--yes', '--unverified', '--json')
    expect([code, json.isVerified]).toEqual([0, false])
    expect(await target.count('customers')).toBe(50)
  },
)

test('without the key a backup is restored only by the flag, too', async () => {
  const target = await aTarget()
  const { code, err } = await target.restore(filled.file, '--yes', '--without-key')
  expect(err).toMatch(/^Without the key nobody can tell whether this shop wrote the file\./)
  expect([code, await target.things()]).toEqual([1, []])
})

test('a backup of before the key was changed is verified by any key that is still accepted', async () => {
  const later = { KEY_ENCRYPTION_KEY: newKey(), KEY_ENCRYPTION_KEYS_ACCEPTED: KEY.KEY_ENCRYPTION_KEY }
  const { code, json } = await runOps(later, 'restore', '--check', filled.file, '--json')
  expect([code, json.isVerified]).toEqual([0, true])
})

test('a backup is not taken with another key than the shop’s', async () => {
  const { url, drop } = await cloneDatabase()
  const { db } = openDatabase(url, () => undefined, 2)
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  await openShopsKeys(db, readSharedKeys(KEY))
  const path = join(await aFolder(), 'x')
  const take = (key: string) => runOps({ DATABASE_URL: url, KEY_ENCRYPTION_KEY: key }, 'backup', path)
  const { code, err } = await take(newKey())
  expect(err).toMatch(/^KEY_ENCRYPTION_KEY is not this shop's, which has sealed by [0-9a-f]{6}: /)
  expect(code).toBe(1)
  expect((await take(KEY.KEY_ENCRYPTION_KEY)).code).toBe(0)
})

const openedFrom = (file: FileHandle) => ({
  open: () => file.createReadStream({ start: 0, autoClose: false }),
  keys: undefined,
  signers: readSharedKeys(KEY),
  signal: AbortSignal.any([]),
})

test('a file that is written over between the check and the restore leaves the database empty', async () => {
  const path = join(await aFolder(), 'x')
  await copyFile(filled.file, path)
  await using file = await open(path)
  const source = openedFrom(file)
  const { header } = await checkBackup(source)
  await copyFile(await rewritten(filled.file, otherAddress, { signedBy: AS_IT_WAS }), path)
  const target = await aTarget()
  const database = openDatabase(target.url, () => undefined, 2)
  onTestFinished(() => database.db.destroy())
  const rest = { keyCipher: undefined, numbersFrom: {}, keepsWaysIn: true }
  await expect(restoreBackup(database, header, { ...source, ...rest })).rejects.toThrow(/signature is wrong/)
  expect(await target.things()).toEqual([])
})

test('a file that became another one after it was checked gives no row away', async () => {
  await using file = await open(await rewritten(filled.file, otherAddress))
  const source = openedFrom(file)
  const { header } = await checkBackup(source)
  const taken: unknown[] = []
  const take = async (table: unknown) => {
    taken.push(table)
    return undefined
  }
  const reading = readBackup(source, take, { ...header, takenAt: new Date(0).toISOString() })
  await expect(reading).rejects.toThrow(BackupFault)
  expect(taken).toEqual([])
})
