import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import { BackupFault } from '#care/backup/backup-fault.ts'
import {
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
  END_OF_ROWS,
  readHeader,
  readTrailer,
} from '#care/backup/backup-format.ts'
import { createLineSource, type LineSource } from '#care/backup/line-source.ts'
import { AGE, unsealed } from '#care/backup/seal-backup.ts'
import { requireSignature } from '#care/backup/signature.ts'
import type { GivenKeys } from '#care/keys/shops-keys.ts'

const cut = () => new BackupFault('It is cut off: its end is missing.')
const notABackup = () => new BackupFault('It is not a backup of the shop.')
const damaged = () => new BackupFault('It is damaged: what it holds is not what was written.')

const GZIP = Buffer.from([0x1f, 0x8b])

/** The same bytes, decrypted where they are encrypted, if they begin as a backup does. */
async function* opened(
  source: AsyncIterable<Uint8Array>,
  keys: GivenKeys | undefined,
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  async function* whole(begin: Buffer) {
    yield begin
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  try {
    let begin: Buffer = Buffer.alloc(0)
    while (begin.length < AGE.length) {
      const { done, value } = await pieces.next()
      if (done) break
      begin = Buffer.concat([begin, value])
    }
    const startsWith = (bytes: Buffer) => begin.subarray(0, bytes.length).equals(bytes)
    if (startsWith(GZIP)) return yield* whole(begin)
    if (!startsWith(AGE)) throw notABackup()
    if (!keys)
      throw new BackupFault(
        'It is encrypted, and cannot be read without KEY_ENCRYPTION_KEY. (--check uses it, --check --unverified does not.)',
      )
    yield* unsealed(whole(begin), keys)
  } finally {
    await pieces.return?.()
  }
}

const faultOf = (error: unknown): unknown => {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return cut()
  return code.startsWith('Z_') ? damaged() : error
}

export type WholeBackup = { header: BackupHeader; trailer: BackupTrailer }

/** Takes all rows of a table, or of the jobs (undefined); returns how many there were, where that is known. */
type OnRows = (table: BackupTable | undefined, rows: AsyncIterable<Buffer>) => Promise<number | undefined>

const readRows = async (lines: LineSource, { tables }: BackupHeader, onRows: OnRows) => {
  const take = async (table: BackupTable | undefined): Promise<number> => {
    const { rows, count } = lines.rows()
    const taken = await onRows(table, rows)
    if (taken !== undefined && taken !== count()) throw damaged()
    return count()
  }
  const rows = new Map<string, number>()
  for (const table of tables) rows.set(table.name, await take(table))
  return { rows: Object.fromEntries(rows), jobs: await take(undefined) }
}

const isWhole = (trailer: BackupTrailer, expected: BackupTrailer): boolean =>
  trailer.sha256 === expected.sha256 &&
  trailer.jobs === expected.jobs &&
  Object.keys(trailer.rows).length === Object.keys(expected.rows).length &&
  Object.entries(trailer.rows).every(([name, count]) => expected.rows[name] === count)

export type BackupSource = {
  /** From its beginning, each time anew: it is read twice. */
  open: () => AsyncIterable<Uint8Array>
  /** What opens it where it is encrypted. */
  keys: GivenKeys | undefined
  /** One of these has to have signed it. Undefined: it is not looked at who wrote it. */
  signers: GivenKeys | undefined
  signal: AbortSignal
}

/**
 * Reads a backup from its beginning to its end, a piece at a time. Throws a BackupFault where it is not whole, where none of
 * the signers wrote it, and at once where its header is not the expected one.
 */
export const readBackup = async (
  { open, keys, signers, signal }: BackupSource,
  onRows: OnRows,
  expected?: BackupHeader,
): Promise<WholeBackup> => {
  const gunzip = createGunzip()
  // What goes wrong there is met by the reader.
  const flow = pipeline(Readable.from(opened(open(), keys), { objectMode: false }), gunzip, { signal }).catch(
    () => undefined,
  )
  const hash = createHash('sha256')
  const lines = createLineSource(gunzip, END_OF_ROWS, hash, cut)
  try {
    const header = readHeader(await lines.line())
    if (expected && !isDeepStrictEqual(header, expected)) throw damaged()
    const counts = await readRows(lines, header, onRows)
    const sha256 = hash.digest('hex')
    const trailer = readTrailer(await lines.lastLine())
    if (!isWhole(trailer, { ...counts, sha256 })) throw damaged()
    if (signers) requireSignature(trailer, signers)
    return { header, trailer }
  } catch (error) {
    throw faultOf(error)
  } finally {
    gunzip.destroy()
    await flow
  }
}

const drain: OnRows = async (_table, rows) => {
  for await (const _piece of rows);
  return undefined
}

/** Whether a file is whole and who wrote it, before any of its rows goes anywhere. */
export const checkBackup = (source: BackupSource): Promise<WholeBackup> => readBackup(source, drain)
