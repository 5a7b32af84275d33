import type { Command } from 'commander'
import { backupFolder } from '#care/backup/folder-place.ts'
import { makeBackup } from '#care/backup/make-backup.ts'
import { takeInto } from '#care/backup/take-backup.ts'
import { writeWholeFile } from '#care/backup/write-whole-file.ts'
import { describeBackup, KEY_IS_APART, presentBackup } from '#desk/commands/present-backup.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { opens } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayAside, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withWholeDatabase } from '#desk/tool/with-database.ts'
import { readSharedKeys, settingsWhenAsked } from '#platform/settings.ts'

const STANDARD_OUTPUT = '-'

const toOutput = async (): Promise<void> => {
  const keys = readSharedKeys(toolRun().env)
  if (toolRun().stdout.isTTY)
    throw new Refusal('A backup is not text for a terminal. Redirect it to a file or a program.')
  const taken = await asRefusal(
    withWholeDatabase((database, signal) => takeInto(database, keys, toolRun().stdout, signal)),
  )
  sayAside(`Written: ${describeBackup(taken)}.\n${KEY_IS_APART}`)
}

/** As the shop makes one each night. */
const toFolder = async () => {
  const settings = settingsWhenAsked(toolRun().env)
  const folder = backupFolder(settings)
  if (!folder) throw new Refusal('BACKUP_DIR is not set: name a file.')
  const made = await asRefusal(
    withWholeDatabase(({ db, pool }, signal) => makeBackup({ db, pool, settings }, folder, signal)),
  )
  if (!made) throw new Refusal('The shop is making one at this moment.')
  return made
}

type Options = { force?: boolean; json?: true }

const toFile = async (path: string, mayReplace: boolean) => {
  const keys = readSharedKeys(toolRun().env)
  const { result, bytes } = await asRefusal(
    withWholeDatabase((database, signal) =>
      writeWholeFile(path, { mayReplace }, (sink) => takeInto(database, keys, sink, signal)),
    ),
  )
  return { path, bytes, whole: result }
}

const run = async (file: string | undefined, { force = false, json }: Options): Promise<void> => {
  if (file === STANDARD_OUTPUT) return toOutput()
  const { path, bytes, whole } = await (file === undefined ? toFolder() : toFile(placeOf(file), force))
  if (json) return sayJson({ ...presentBackup(path, whole), bytes })
  say(`${path} holds ${describeBackup(whole)}.`)
  say(KEY_IS_APART)
}

export const addBackup = (program: Command): void => {
  opens(program.command('backup'))
    .summary('write the whole shop into one file')
    .description(
      'Write the whole shop as it is at this moment into one file. The shop may be running or stopped. ' +
        'The file holds personal data, and only its owner can read it. ' +
        'It holds neither sessions nor KEY_ENCRYPTION_KEY: keep that key in another place. ' +
        'It is signed under that key, so that restore can tell it from one that somebody else wrote or changed.',
    )
    .argument('[file]', 'the file to write, or - for standard output; none: into BACKUP_DIR, as each night')
    .option('--force', 'replace an existing file')
    .addOption(JSON_OPTION)
    .action(run)
}
