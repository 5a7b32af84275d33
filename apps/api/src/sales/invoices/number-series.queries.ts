import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { InvoiceGapsTable } from '#platform/database/tables/invoices.table.ts'

/** Each kind of document is numbered apart, in a series of its own for each year. */
const TABLES = {
  invoices: { counters: 'invoice_counters', gaps: 'invoice_gaps' },
  'credit-notes': { counters: 'credit_note_counters', gaps: 'credit_note_gaps' },
  commissions: { counters: 'commission_counters', gaps: 'commission_gaps' },
} as const

export type NumberSeries = keyof typeof TABLES

/** The year of a document of now. */
export const currentYear = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ year: number }>`
    select extract(year from now() at time zone 'Europe/London')::integer as year`.execute(db)
  return rows[0]?.year ?? 0
}

export const findLastNumber = async (db: Db, series: NumberSeries, year: number): Promise<number> => {
  const row = await db
    .selectFrom(TABLES[series].counters)
    .select('last')
    .where('year', '=', year)
    .executeTakeFirst()
  return row?.last ?? 0
}

/** Waits until no other transaction numbers documents of that series and year. Returns the last number that was given. */
export const lockCounter = async (trx: Trx, series: NumberSeries, year: number): Promise<number> => {
  const { counters } = TABLES[series]
  await trx
    .insertInto(counters)
    .values({ year })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { last } = await trx
    .selectFrom(counters)
    .select('last')
    .where('year', '=', year)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return last
}

export type NumberGap = Selectable<InvoiceGapsTable>

/** Leaves numbers out, and says so for as long as the documents are kept. To be called with the year's counter locked. */
export const insertGap = async (
  trx: Trx,
  series: NumberSeries,
  { year, first, last }: Pick<NumberGap, 'year' | 'first' | 'last'>,
): Promise<void> => {
  const { counters, gaps } = TABLES[series]
  await trx.insertInto(gaps).values({ year, first, last }).execute()
  await trx.updateTable(counters).set({ last }).where('year', '=', year).execute()
}

export const listGaps = (db: Db, series: NumberSeries): Promise<NumberGap[]> =>
  db.selectFrom(TABLES[series].gaps).selectAll().orderBy('year').orderBy('first').execute()

/** Gives the year's next number. To be called with its counter locked, and the last number of that. */
export const countNumber = async (
  trx: Trx,
  series: NumberSeries,
  { year, number }: { year: number; number: number },
): Promise<void> => {
  await trx.updateTable(TABLES[series].counters).set({ last: number }).where('year', '=', year).execute()
}
