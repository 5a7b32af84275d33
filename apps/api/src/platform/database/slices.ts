import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { Database } from '#platform/database/schema.ts'

/** `rows` are those that one transaction takes up at most; after `ms` milliseconds no other slice is begun. */
export type Limits = { rows?: number; ms?: number }

/** So many rows are changed in tens of milliseconds, which a caller who wants one of them does not notice. */
const ROWS = 1_000
/** For one kind of work: of the many kinds that a run does, each has its turn. */
const MS = 3_000
/** For work that is done by one at a time. Two kinds of it end before a run is taken for stuck, after five minutes. */
export const LONG_MS = 120_000

/**
 * Works in slices until one is not full, or the time is over: the next run goes on. Each slice is a transaction of its own,
 * takes up as many rows as given, and returns how many those were. One that fails ends the work.
 */
export const inSlices = async (
  slice: (rows: number) => Promise<number>,
  { rows = ROWS, ms = MS }: Limits = {},
): Promise<void> => {
  const end = performance.now() + ms
  while ((await slice(rows)) >= rows && performance.now() < end);
}

/** When the year in London began that is so many before this one. */
export const yearsAgo = (years: number) => sql`make_timestamptz(
  extract(year from now() at time zone 'Europe/London')::int - ${years}::int, 1, 1, 0, 0, 0, 'Europe/London')`

type Table = keyof Database & string

/** Never waits: a locked row is left for the next run. */
const dueRows = (table: Table, isDue: RawBuilder<unknown>, rows: number) => sql`ctid = any(array(
  select ctid from ${sql.table(table)} where ${isDue} limit ${rows} for update skip locked))`

const countOf = ({ numAffectedRows = 0n }: { numAffectedRows?: bigint }) => Number(numAffectedRows)

/** Deletes the rows of a table that are due, in slices. */
export const deleteDue = (db: Db, table: Table, isDue: RawBuilder<unknown>, limits?: Limits): Promise<void> =>
  inSlices(
    async (rows) =>
      countOf(await sql`delete from ${sql.table(table)} where ${dueRows(table, isDue, rows)}`.execute(db)),
    limits,
  )

/** Changes the rows of a table that are due, in slices; what is changed must not be due any more. */
export const updateDue = (
  db: Db,
  table: Table,
  change: RawBuilder<unknown>,
  isDue: RawBuilder<unknown>,
  limits?: Limits,
): Promise<void> =>
  inSlices(
    async (rows) =>
      countOf(
        await sql`update ${sql.table(table)} set ${change} where ${dueRows(table, isDue, rows)}`.execute(db),
      ),
    limits,
  )
