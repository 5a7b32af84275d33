import type { Db, Trx } from '#database/client.ts'
import {
  currentYear,
  findLastNumber,
  type InvoiceGap,
  insertGap,
  listGaps,
  lockCounter,
} from '#invoices/invoices.queries.ts'

export type { InvoiceGap } from '#invoices/invoices.queries.ts'

/** Where the numbers of a year stand; the current one if none is named. */
export type NextNumber = { year: number; next: number; gaps: InvoiceGap[] }

export const getNextNumber = async (db: Db, year?: number): Promise<NextNumber> => {
  const of = year ?? (await currentYear(db))
  const gaps = (await listGaps(db)).filter((gap) => gap.year === of)
  return { year: of, next: (await findLastNumber(db, of)) + 1, gaps }
}

/** A number, and the year that it was said with. */
export type WantedNumber = { number: number; year?: number | undefined }

export type NumberSet =
  /** From now on; what was left out is recorded. */
  | { kind: 'set'; year: number; lost: { first: number; last: number } }
  /** It is the next one anyway. */
  | { kind: 'known'; year: number }
  /** Invoices have that number, or a higher one. */
  | { kind: 'refused'; year: number; last: number }

/** The next invoice gets this number: those up to it were given in a shop that was lost. */
export const setNextNumber = async (trx: Trx, { number, year }: WantedNumber): Promise<NumberSet> => {
  const of = year ?? (await currentYear(trx))
  const last = await lockCounter(trx, of)
  if (number <= last) return { kind: 'refused', year: of, last }
  if (number === last + 1) return { kind: 'known', year: of }
  const lost = { first: last + 1, last: number - 1 }
  await insertGap(trx, { year: of, ...lost })
  return { kind: 'set', year: of, lost }
}
