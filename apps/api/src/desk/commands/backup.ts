import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { takeBackup } from '#care/backup/take-backup.ts'
import { type Sink, writeWholeFile } from '#care/backup/write-whole-file.ts'
import type { GivenKeys } from '#care/keys/shops-keys.ts'
import { describeBackup, KEY_IS_APART, presentBackup } from '#desk/commands/present-backup.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { opens } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayAside, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withWholeDatabase } from '#desk/tool/with-database.ts'
import type { OpenDatabase } from '#platform/database/client.ts'
import { readSharedKeys } from '#platform/settings.ts'

const CHUNK = 256 * 1024
const STANDARD_OUTPUT = '-'

const takeInto = (database: OpenDatabase, keys: GivenKeys, sink: Sink | Writable, signal: AbortSignal) =>
  takeBackup(
    database,
    keys,
    (lines) =>
      pipeline(Readable.from(lines, { objectMode: false }), createGzip({ chunkSize: CHUNK }), sink, {
        signal,
      }),
    signal,
  )

const toOutput = async (keys: GivenKeys): Promise<void> => {
  if (toolRun().stdout.isTTY)
    throw new Refusal('A backup is not text for a terminal. Redirect it to a file or a program.')
  const taken = await asRefusal(
    withWholeDatabase((database, signal) => takeInto(database, keys, toolRun().stdout, signal)),
  )
  sayAside(`Written: ${describeBackup(taken)}.\n${KEY_IS_APART}`)
}

type Options = { force?: boolean; json?: true }

const run = async (file: string, { force = false, json }: Options): Promise<void> => {
  const keys = readSharedKeys(toolRun().env)
  if (file === STANDARD_OUTPUT) return toOutput(keys)
  const path = placeOf(file)
  const { result, bytes } = await asRefusal(
    withWholeDatabase((database, signal) =>
      writeWholeFile(path, { mayReplace: force }, (sink) => takeInto(database, keys, sink, signal)),
    ),
  )
  if (json) return sayJson({ ...presentBackup(path, result), bytes })
  say(`${path} holds ${describeBackup(result)}.`)
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
    .argument('<file>', 'the file to write, or - for standard output')
    .option('--force', 'replace an existing file')
    .addOption(JSON_OPTION)
    .action(run)
}
