import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Documents of each kind have a series of their own. */
export type Series = 'invoices' | 'credit_notes' | 'commissions'

const TABLES = {
  invoices: { documents: 'issued_invoices', counters: 'invoice_counters', gaps: 'invoice_gaps' },
  credit_notes: {
    documents: 'issued_credit_notes',
    counters: 'credit_note_counters',
    gaps: 'credit_note_gaps',
  },
  commissions: {
    documents: 'commission_documents',
    counters: 'commission_counters',
    gaps: 'commission_gaps',
  },
} as const

type Counts = { given: number; held: number; recorded: number }

/** How many numbers of a year were given, how many documents there are, and how many numbers are recorded as missing. */
export const countSeries = async (db: Db, series: Series, year: number): Promise<Counts> => {
  const { documents, counters, gaps } = TABLES[series]
  const { rows } = await sql<Counts>`
    select coalesce((select last from ${sql.table(counters)} where year = ${year}), 0) as given,
      (select count(*)::integer from ${sql.table(documents)} where year = ${year}) as held,
      (select coalesce(sum(last - first + 1), 0)::integer from ${sql.table(gaps)} where year = ${year}) as recorded`.execute(
    db,
  )
  return rows[0] ?? { given: 0, held: 0, recorded: 0 }
}

/** Numbers that no document and no recorded gap has; and those that both have, or that are above the last one given. */
export type SeriesFault = { first: number; last: number; kind: 'missing' | 'twice' | 'not-given' }

export const findSeriesFaults = async (
  db: Db,
  series: Series,
  year: number,
  limit: number,
): Promise<SeriesFault[]> => {
  const { documents, counters, gaps } = TABLES[series]
  const { rows } = await sql<SeriesFault>`
    with taken as (
      select number as first, number as last from ${sql.table(documents)} where year = ${year}
      union all
      select first, last from ${sql.table(gaps)} where year = ${year}
    ),
    end_of_series as (select coalesce((select last from ${sql.table(counters)} where year = ${year}), 0) as given),
    placed as (
      select first, last, lag(last, 1, 0) over (order by first, last) as before from taken
      union all
      select given + 1, given + 1, coalesce((select max(last) from taken), 0) from end_of_series
    )
    select before + 1 as first, first - 1 as last, 'missing' as kind from placed where first > before + 1
    union all
    select first, last, 'twice' from placed, end_of_series where first <= before and first <= given
    union all
    select first, last, 'not-given' from taken, end_of_series where last > given
    order by first, kind limit ${limit}`.execute(db)
  return rows
}
