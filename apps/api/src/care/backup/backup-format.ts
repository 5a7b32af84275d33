import * as z from 'zod/mini'
import { BackupFault } from '#care/backup/backup-fault.ts'

/**
 * A backup is one gzip file of lines: a header in JSON; each table's rows as PostgreSQL's COPY writes text, ended by a line
 * `\.` as in its own dumps; the jobs in the same way; and a trailer in JSON with the counts, the SHA-256 of all before it and
 * the signature of that.
 */
const FORMAT = 'hedgerow backup'
const VERSION = 1

/** Ends a table's rows. No row is so: COPY doubles every backslash of the data. */
export const END_OF_ROWS = Buffer.from('\\.\n')

const Table = z.object({ name: z.string(), columns: z.array(z.string()) })
const Sequence = z.object({
  name: z.string(),
  value: z.string().check(z.regex(/^-?\d+$/)),
  isCalled: z.boolean(),
})

const Header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  takenAt: z.iso.datetime(),
  /** Those that the database had seen, in their order. */
  migrations: z.array(z.string()),
  tables: z.array(Table),
  sequences: z.array(Sequence),
})
export type BackupHeader = z.infer<typeof Header>
export type BackupTable = z.infer<typeof Table>
export type BackupSequence = z.infer<typeof Sequence>

const Signature = z.object({
  /** The id of the key encryption key that its key was derived from. */
  key: z.string(),
  hmac: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
export type BackupSignature = z.infer<typeof Signature>

const Trailer = z.object({
  /** By table. */
  rows: z.record(z.string(), z.int()),
  jobs: z.int(),
  sha256: z.string(),
  /** Releases up to 1.0 wrote none. */
  signature: z.optional(Signature),
})
export type BackupTrailer = z.infer<typeof Trailer>

export const newHeader = (rest: Omit<BackupHeader, 'format' | 'version'>): BackupHeader => ({
  format: FORMAT,
  version: VERSION,
  ...rest,
})

export const lineOf = (value: BackupHeader | BackupTrailer): Buffer =>
  Buffer.from(`${JSON.stringify(value)}\n`)

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const AnyHeader = z.object({ format: z.literal(FORMAT), version: z.number() })

export const readHeader = (line: string): BackupHeader => {
  const value = parsed(line)
  const { data: kind } = z.safeParse(AnyHeader, value)
  if (!kind) throw new BackupFault('It is not a backup of the shop.')
  if (kind.version !== VERSION)
    throw new BackupFault(
      `Its format is ${kind.version}, and this version of the shop reads ${VERSION}. Restore it with the version that wrote it.`,
    )
  const { data: header } = z.safeParse(Header, value)
  if (!header) throw new BackupFault('It is damaged: its header cannot be read.')
  return header
}

export const readTrailer = (line: string): BackupTrailer => {
  const { data } = z.safeParse(Trailer, parsed(line))
  if (!data) throw new BackupFault('It is damaged: its end cannot be read.')
  return data
}
