import { createHash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { BackupFault } from '#care/backup/backup-fault.ts'
import {
  type BackupHeader,
  type BackupTrailer,
  END_OF_ROWS,
  lineOf,
  newHeader,
} from '#care/backup/backup-format.ts'
import { keepShape, listTables, readSequences, setCopyStyle } from '#care/backup/catalogue.queries.ts'
import { copyName, type OneConnection, withOneConnection } from '#care/backup/one-connection.ts'
import type { WholeBackup } from '#care/backup/read-backup.ts'
import { sign } from '#care/backup/signature.ts'
import type { Sink } from '#care/backup/write-whole-file.ts'
import { type GivenKeys, missingKeys } from '#care/keys/shops-keys.ts'
import { listMigrations } from '#platform/database/compare-schema.ts'
import { MIGRATIONS_LOCK } from '#platform/database/migrate.ts'
import { KEPT_JOBS } from '#platform/queue/kept-jobs.ts'

const LINE_END = 10
const LOOK_FOR_TURN_EVERY_MS = 250

/** In COPY's text each row is a line. */
const linesIn = (chunk: Buffer): number => {
  let count = 0
  for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) count++
  return count
}

const readTop = async ({ db }: OneConnection): Promise<BackupHeader> => {
  await setCopyStyle(db)
  const takenAt = new Date().toISOString()
  const tables = await listTables(db)
  await keepShape(db, tables)
  return newHeader({
    takenAt,
    migrations: await listMigrations(db),
    tables,
    sequences: await readSequences(db),
  })
}

/** The lines of a backup. Each part is read from the database when the one before has been taken away. */
async function* linesOf(
  connection: OneConnection,
  header: BackupHeader,
  { keyEncryptionKey }: GivenKeys,
  onDone: (trailer: BackupTrailer) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (chunk: Buffer) => {
    hash.update(chunk)
    return chunk
  }
  let count = 0
  async function* rowsOf(source: string) {
    count = 0
    for await (const chunk of connection.copyOut(source)) {
      count += linesIn(chunk)
      yield hashed(chunk)
    }
    yield hashed(END_OF_ROWS)
  }

  yield hashed(lineOf(header))
  const rows = new Map<string, number>()
  for (const table of header.tables) {
    yield* rowsOf(copyName(table))
    rows.set(table.name, count)
  }
  yield* rowsOf(KEPT_JOBS)
  const sha256 = hash.digest('hex')
  const signature = sign(keyEncryptionKey, sha256)
  const trailer = { rows: Object.fromEntries(rows), jobs: count, sha256, signature }
  yield lineOf(trailer)
  onDone(trailer)
}

/** Not by a query that waits: an index that is built beside it would wait for that. */
const takeTurn = async (client: PoolClient, signal: AbortSignal): Promise<void> => {
  const ask = `select pg_try_advisory_lock_shared(${MIGRATIONS_LOCK}) as is_ours`
  while (!(await client.query(ask)).rows[0].is_ours)
    await pause(LOOK_FOR_TURN_EVERY_MS, undefined, { signal })
}

/** One that another key has signed would be refused on the day that it is needed. */
const refuseForeignKeys = async ({ db }: OneConnection, keys: GivenKeys): Promise<void> => {
  const missing = await missingKeys(db, keys)
  if (missing.length > 0)
    throw new BackupFault(
      `KEY_ENCRYPTION_KEY is not this shop's, which has sealed by ${missing.join(' and ')}: set it as the shop has it. Nothing was written.`,
    )
}

/**
 * Takes a backup: all tables and the jobs that wait, as they were at one moment, whatever goes on meanwhile. `write` gets
 * the bytes, and takes them away at its own pace. Throws a BackupFault where the keys are not the shop's.
 */
export const takeBackup = (
  { pool }: { pool: Pool },
  keys: GivenKeys,
  write: (lines: AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<WholeBackup> =>
  withOneConnection(pool, signal, async (connection) => {
    const { client } = connection
    // While someone changes the shape of the database its tables and its list of migrations may not fit together. It is
    // held until the copy has ended: who migrates meanwhile would wait for our tables, and every sale behind them.
    await takeTurn(client, signal)
    await client.query('begin isolation level repeatable read read only')
    const header = await readTop(connection)
    await refuseForeignKeys(connection, keys)
    let trailer: BackupTrailer | undefined
    await write(linesOf(connection, header, keys, (done) => (trailer = done)))
    if (!trailer) throw new Error('The backup was not written to its end')
    return { header, trailer }
  })

const CHUNK = 64 * 1024

/** The same, compressed. */
export const takeInto = (
  database: { pool: Pool },
  keys: GivenKeys,
  sink: Sink | Writable,
  signal: AbortSignal,
): Promise<WholeBackup> =>
  takeBackup(
    database,
    keys,
    (lines) =>
      pipeline(Readable.from(lines, { objectMode: false }), createGzip({ chunkSize: CHUNK }), sink, {
        signal,
      }),
    signal,
  )
