import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { takeBackup } from '#care/backup/take-backup.ts'
import { type Sink, writeWholeFile } from '#care/backup/write-whole-file.ts'
import { asRefusal } from '#desk/cli/as-refusal.ts'
import { opens } from '#desk/cli/classes.ts'
import { JSON_OPTION } from '#desk/cli/options.ts'
import { placeOf } from '#desk/cli/place-of.ts'
import { say, sayJson } from '#desk/cli/print.ts'
import { Refusal } from '#desk/cli/refusal.ts'
import { withWholeDatabase } from '#desk/cli/with-database.ts'
import { describeBackup, KEY_IS_APART, presentBackup } from '#desk/presentation/present-backup.ts'
import type { OpenDatabase } from '#platform/database/client.ts'

const CHUNK = 256 * 1024
const STANDARD_OUTPUT = '-'

const takeInto = (database: OpenDatabase, sink: Sink | Writable, signal: AbortSignal) =>
  takeBackup(
    database,
    (lines) =>
      pipeline(Readable.from(lines, { objectMode: false }), createGzip({ chunkSize: CHUNK }), sink, {
        signal,
      }),
    signal,
  )

const toOutput = async (): Promise<void> => {
  if (process.stdout.isTTY)
    throw new Refusal('A backup is not text for a terminal. Redirect it to a file or a program.')
  const taken = await withWholeDatabase((database, signal) => takeInto(database, process.stdout, signal))
  console.error(`Written: ${describeBackup(taken)}.\n${KEY_IS_APART}`)
}

type Options = { force?: boolean; json?: true }

const run = async (file: string, { force = false, json }: Options): Promise<void> => {
  if (file === STANDARD_OUTPUT) return toOutput()
  const path = placeOf(file)
  const { result, bytes } = await asRefusal(
    withWholeDatabase((database, signal) =>
      writeWholeFile(path, { mayReplace: force }, (sink) => takeInto(database, sink, signal)),
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
        'It holds neither sessions nor KEY_ENCRYPTION_KEY: keep that key in another place.',
    )
    .argument('<file>', 'the file to write, or - for standard output')
    .option('--force', 'replace an existing file')
    .addOption(JSON_OPTION)
    .action(run)
}
