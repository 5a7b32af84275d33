import { formatDateTime } from '@hedgerow/domain/dates'
import { counted } from '@hedgerow/domain/order-description'
import type { WholeBackup } from '#care/backup/read-backup.ts'

const total = (rows: Record<string, number>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0)

/** For programs. Times are ISO 8601. */
export const presentBackup = (file: string, { header, trailer }: WholeBackup) => ({
  file,
  takenAt: header.takenAt,
  migration: header.migrations.at(-1) ?? null,
  tables: trailer.rows,
  rows: total(trailer.rows),
  jobs: trailer.jobs,
  sha256: trailer.sha256,
  /** The id of the key that signed it, whether that is this shop's or not. */
  signedBy: trailer.signature?.key ?? null,
})

/** What it holds, for people. */
export const describeBackup = ({ header, trailer }: WholeBackup): string => {
  const rows = counted(total(trailer.rows), 'row')
  const jobs = counted(trailer.jobs, 'waiting job')
  return `the shop as of ${formatDateTime(new Date(header.takenAt))}: ${rows} in ${header.tables.length} tables, ${jobs}`
}

export const KEY_IS_APART =
  'KEY_ENCRYPTION_KEY is not in it. Keep that key too, in another place: without it no configuration can be opened again.'
