import { formatDateTime } from '@hedgerow/domain/dates'
import type { WholeBackup } from '#backup/read-backup.ts'

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
})

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`

/** What it holds, for people. */
export const describeBackup = ({ header, trailer }: WholeBackup): string => {
  const rows = counted(total(trailer.rows), 'row', 'rows')
  const jobs = counted(trailer.jobs, 'waiting job', 'waiting jobs')
  return `the shop as of ${formatDateTime(new Date(header.takenAt))}: ${rows} in ${header.tables.length} tables, ${jobs}`
}

export const KEY_IS_APART =
  'KEY_ENCRYPTION_KEY is not in it. Keep the key too, in another place: without it no configuration opens again.'
