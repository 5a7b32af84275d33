import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { checkBackup, type WholeBackup } from '#backup/read-backup.ts'
import { lastMigrationOf, restoreBackup } from '#backup/restore-backup.ts'
import { asRefusal } from '#cli/as-refusal.ts'
import { ask } from '#cli/ask.ts'
import { changes } from '#cli/classes.ts'
import { JSON_OPTION, YES_OPTION } from '#cli/options.ts'
import { placeOf } from '#cli/place-of.ts'
import { say, sayJson } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withNewDatabase } from '#cli/with-database.ts'
import { describeBackup, KEY_IS_APART, presentBackup } from '#commands/present-backup.ts'
import { createKeyCipher } from '#crypto/key-cipher.ts'
import { readDatabaseSettings, readSharedKey } from '#settings.ts'

type Options = { check?: true; withoutKey?: true; yes?: true; json?: true }

const unreadable = (path: string, why: string) => new Refusal(`${path} cannot be read: ${why}.`)

/** It is read twice, which a pipe cannot be. */
const openFile = async (path: string): Promise<FileHandle> => {
  try {
    if (!(await stat(path)).isFile()) throw unreadable(path, 'it is no file')
    return await open(path)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw unreadable(path, code === 'ENOENT' ? 'it is not there' : code)
  }
}

const whole = async (file: FileHandle): Promise<WholeBackup> => {
  const found = await checkBackup(file, AbortSignal.any([]))
  await lastMigrationOf(found.header)
  return found
}

const sayWhole = (path: string, found: WholeBackup): void => {
  say(`${path} is whole, and this version can restore it. It holds ${describeBackup(found)}.`)
  say(KEY_IS_APART)
}

const target = (): string => {
  const { dataDir, databaseUrl } = readDatabaseSettings(process.env)
  if (!databaseUrl) return `the embedded database in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${pathname.slice(1)} at ${host}`
}

const next = (takenAt: string, isKeyChecked: boolean): string[] => [
  ...(isKeyChecked ? [] : ['Whether KEY_ENCRYPTION_KEY opens its keys was not looked at.']),
  `What happened after ${takenAt} is not in it. Before you open the shop again:`,
  '  1. Compare the gateway’s own books (its dashboard) with the shop from that moment on. The shop does not know of',
  '     payments that were started since: give them back there.',
  '     Withdrawals and refunds sent by hand since are owed again here: see your bank’s statement.',
  '  2. Start the shop. It asks the gateway about the payments that were open, sends what mail and refunds were due,',
  '     and tells every node all that it is to keep.',
  `  3. npm run ops -- reconcile --since ${takenAt}`,
  '     and once more from some days before, for payments that were refunded since.',
  'Customers log in again, and links to their connections have ended. Keys that they replaced since work again, and the',
  'new ones do not: tell those who did.',
  'Accounts that were erased since are back: erase them again. Nodes that enrolled since: node token, and their agents anew.',
]

const run = async (given: string, { check: isCheck, withoutKey, yes, json }: Options): Promise<void> => {
  const keyCipher = isCheck || withoutKey ? undefined : createKeyCipher(readSharedKey(process.env))
  const path = placeOf(given)
  const file = await openFile(path)
  try {
    const found = await asRefusal(whole(file), `${path} cannot be restored. `)
    if (isCheck) return json ? sayJson(presentBackup(path, found)) : sayWhole(path, found)
    await ask(`${path} holds ${describeBackup(found)}. It goes into ${target()}. Restore it?`, yes)
    const key = await asRefusal(
      withNewDatabase((database, signal) =>
        restoreBackup(database, found.header, { file, keyCipher, signal }),
      ),
      'Nothing was restored. ',
    )
    if (json) return sayJson({ ...presentBackup(path, found), isKeyChecked: key === 'opens' })
    say(`Restored: ${describeBackup(found)}.`)
    if (key === 'nothing-to-try') say('Nothing in it is sealed: KEY_ENCRYPTION_KEY was not tried.')
    for (const line of next(found.header.takenAt, key !== 'not-tried')) console.log(line)
  } finally {
    await file.close()
  }
}

export const addRestore = (program: Command): void => {
  changes(program.command('restore'))
    .summary('make an empty database the shop of a backup')
    .description(
      'Make an empty database the shop that a backup holds, with no shop running on it. ' +
        'All of it or nothing: a file that is cut or damaged is refused before anything is changed. ' +
        'It needs KEY_ENCRYPTION_KEY as the shop had it (or the file key-encryption-key in DATA_DIR), and tries it.',
    )
    .argument('<file>', 'a file that backup wrote')
    .option('--check', 'only say whether the file is whole; needs no database and no key')
    .option('--without-key', 'do not try the key: where it is lost, configurations do not open again')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(run)
}
