import { type FileHandle, open, stat } from 'node:fs/promises'
import { commissionNumber } from '@hedgerow/domain/commissions'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import type { Command } from 'commander'
import { backupBucket } from '#care/backup/bucket-place.ts'
import { type BackupSource, checkBackup, type WholeBackup } from '#care/backup/read-backup.ts'
import { lastMigrationOf, restoreBackup } from '#care/backup/restore-backup.ts'
import { cipherOf, type GivenKeys } from '#care/keys/shops-keys.ts'
import { describeBackup, KEY_IS_APART, presentBackup } from '#desk/commands/present-backup.ts'
import { whatNow } from '#desk/commands/what-now.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { addNumbersFrom, JSON_OPTION, KEEP_WAYS_IN_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withNewDatabase } from '#desk/tool/with-database.ts'
import { readDatabaseSettings, readSharedKeys, settingsWhenAsked } from '#platform/settings.ts'
import type { WantedNumber } from '#sales/invoices/next-number.ts'

type Options = {
  check?: true
  withoutKey?: true
  unverified?: true
  invoicesFrom?: WantedNumber
  creditNotesFrom?: WantedNumber
  commissionsFrom?: WantedNumber
  yes?: true
  keepWaysIn?: boolean
  json?: true
}

const unreadable = (path: string, why: string) => new Refusal(`${path} cannot be read: ${why}.`)

/** It is read twice, which a pipe cannot be. */
const openFile = async (path: string): Promise<FileHandle> => {
  try {
    if (!(await stat(path)).isFile()) throw unreadable(path, 'it is not a file')
    return await open(path)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw unreadable(path, code === 'ENOENT' ? 'it does not exist' : code)
  }
}

type Given = { path: string; open: BackupSource['open']; close: () => Promise<void> }

const inBucket = (address: string): Given => {
  const bucket = backupBucket(settingsWhenAsked(toolRun().env))
  const name = bucket?.nameOf(address)
  if (!bucket || name === undefined)
    throw new Refusal(`${address} is no backup in BACKUP_S3: ops backups lists those that are.`)
  return { path: address, open: () => bucket.open(name, NEVER), close: async () => undefined }
}

const openGiven = async (given: string): Promise<Given> => {
  if (/^https?:/.test(given)) return inBucket(given)
  const path = placeOf(given)
  const file = await openFile(path)
  return {
    path,
    open: () => file.createReadStream({ start: 0, autoClose: false }),
    close: () => file.close(),
  }
}

const NEVER = AbortSignal.any([])

const whole = async (
  { open }: Given,
  keys: GivenKeys | undefined,
  signers: GivenKeys | undefined,
): Promise<WholeBackup> => {
  const found = await checkBackup({ open, keys, signers, signal: NEVER })
  await lastMigrationOf(found.header)
  return found
}

const sayWhole = (path: string, found: WholeBackup, isVerified: boolean): void => {
  say(`${path} is whole, and this version can restore it. It holds ${describeBackup(found)}.`)
  say(isVerified ? 'This shop wrote it, and nobody changed it since.' : UNVERIFIED)
  say(KEY_IS_APART)
}

const UNVERIFIED = 'Who wrote it was not looked at.'

/** Where the settings lead. */
const target = (): string => {
  const { dataDir, databaseUrl } = readDatabaseSettings(toolRun().env)
  if (!databaseUrl) return `the embedded database in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${pathname.slice(1)} at ${host}`
}

const run = async (
  given: string,
  {
    check: isCheck,
    withoutKey,
    unverified: isUnverified,
    invoicesFrom,
    creditNotesFrom,
    commissionsFrom,
    keepWaysIn = false,
    yes,
    json,
  }: Options,
): Promise<void> => {
  if (withoutKey && !isUnverified)
    throw new Refusal(
      'Without the key nobody can tell whether this shop wrote the file. If you know who did, add --unverified.',
    )
  const keys = withoutKey || (isCheck && isUnverified) ? undefined : readSharedKeys(toolRun().env)
  const signers = isUnverified ? undefined : keys
  const source = await openGiven(given)
  const { path } = source
  try {
    const found = await asRefusal(whole(source, keys, signers), `${path} cannot be restored. `)
    const isVerified = !isUnverified
    if (isCheck)
      return json ? sayJson({ ...presentBackup(path, found), isVerified }) : sayWhole(path, found, isVerified)
    const doubt = isVerified ? '' : ` ${UNVERIFIED}`
    await ask(`${path} holds ${describeBackup(found)}.${doubt} Restore it into ${target()}?`, yes)
    const restored = await asRefusal(
      withNewDatabase((database, signal) =>
        restoreBackup(database, found.header, {
          open: source.open,
          keys,
          signers,
          keyCipher: keys && cipherOf(keys),
          numbersFrom: {
            invoices: invoicesFrom,
            'credit-notes': creditNotesFrom,
            commissions: commissionsFrom,
          },
          keepsWaysIn: keepWaysIn,
          signal,
        }),
      ),
      'Nothing was restored. ',
    )
    const { key, next, operators = null, nodes } = restored
    if (json)
      return sayJson({
        ...presentBackup(path, found),
        isVerified,
        isKeyChecked: key === 'opens',
        nextInvoice: invoiceNumber(next.invoices.year, next.invoices.next),
        nextCreditNote: creditNoteNumber(next['credit-notes'].year, next['credit-notes'].next),
        nextCommission: commissionNumber(next.commissions.year, next.commissions.next),
        operators,
        nodes,
      })
    say(`Restored: ${describeBackup(found)}.`)
    if (key === 'nothing-to-try') say('Nothing in it is encrypted, so KEY_ENCRYPTION_KEY was not tried.')
    const isGiven = {
      invoices: invoicesFrom !== undefined,
      'credit-notes': creditNotesFrom !== undefined,
      commissions: commissionsFrom !== undefined,
    }
    for (const line of whatNow(found.header.takenAt, restored, isGiven)) say(line)
  } finally {
    await source.close()
  }
}

export const addRestore = (program: Command): void => {
  const command = changes(program.command('restore'), 'access')
    .summary('restore a backup into an empty database')
    .description(
      'Restore a backup into an empty database on which no shop is running. ' +
        'All of it or nothing: a file that is truncated, damaged or not signed by this shop is refused before a row of it is read. ' +
        'It needs the KEY_ENCRYPTION_KEY that the shop had (or the file key-encryption-key in DATA_DIR), and tries it.',
    )
    .argument('<file>', 'a file written by ops backup, or the address of a copy in BACKUP_S3')
    .option('--check', 'only check that the file is whole and this shop wrote it; needs no database')
    .option('--without-key', 'do not try the key: if it is lost, configurations can never be opened again')
    .option('--unverified', 'do not look at who wrote it: whoever did decides what the shop is from then on')
  addNumbersFrom(command, 'the backup')
    .addOption(KEEP_WAYS_IN_OPTION)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(run)
}
