import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeAtomicallySync } from '@hedgerow/io/write-atomically'
import { SettingsError } from '#settings.ts'

/** One file of JSON lines that only grows while the sandbox runs. */
export type Journal = {
  /** Does not wait for the disk: a payment must not be slower because it is written down. */
  append(record: object): void
  close(): Promise<void>
}

/** Without a file, nothing is kept. */
export const noJournal: Journal = { append: () => {}, close: async () => {} }

/** What a former run wrote. A line torn by a crash is left out. */
export const readJournal = function* <Record>(file: string): Generator<Record> {
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  // Line by line: after a load test the whole is longer than a string may be.
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf('\n', start)
    if (end < 0) end = bytes.length
    try {
      yield JSON.parse(bytes.toString('utf8', start, end)) as Record
    } catch {}
  }
}

/** Starts the file anew with what still counts, so that it does not grow from run to run. */
export const openJournal = (file: string, records: Iterable<object>): Journal => {
  const lines = Array.from(records, (record) => `${JSON.stringify(record)}\n`)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeAtomicallySync(file, lines.join(''))
  } catch (error) {
    throw new SettingsError(`SANDBOX_DATA_DIR cannot be used: ${(error as Error).message}`)
  }
  const stream = createWriteStream(file, { flags: 'a' })
  stream.on('error', (error) => console.error(`sandbox: cannot write ${file}: ${error.message}`))
  return {
    append: (record) => {
      stream.write(`${JSON.stringify(record)}\n`)
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}
