import { commissionNumber } from '@hedgerow/domain/commissions'
import { creditNoteNumber, invoiceNumber, parseInvoiceNumber } from '@hedgerow/domain/invoices'
import type { Db, Trx } from '#platform/database/client.ts'
import {
  countNumber,
  currentYear,
  findLastNumber,
  insertGap,
  listGaps,
  lockCounter,
  type NumberGap,
  type NumberSeries,
} from '#sales/invoices/number-series.queries.ts'

export type { NumberSeries } from '#sales/invoices/number-series.queries.ts'

/** What the documents of a series are called, and how a number of theirs is written. */
export const SERIES = {
  invoices: { one: 'invoice', many: 'invoices', numberOf: invoiceNumber },
  'credit-notes': { one: 'credit note', many: 'credit notes', numberOf: creditNoteNumber },
  commissions: { one: 'commission document', many: 'commission documents', numberOf: commissionNumber },
} as const satisfies Readonly<Record<NumberSeries, unknown>>

/** Where the numbers of a year stand; the current one if none is named. */
export type NextNumber = { year: number; next: number; gaps: NumberGap[] }

export const getNextNumber = async (
  db: Db,
  year?: number,
  series: NumberSeries = 'invoices',
): Promise<NextNumber> => {
  const of = year ?? (await currentYear(db))
  const gaps = (await listGaps(db, series)).filter((gap) => gap.year === of)
  return { year: of, next: (await findLastNumber(db, series, of)) + 1, gaps }
}

/** A number, and the year that it was said with. */
export type WantedNumber = { number: number; year?: number | undefined }

export type NumberSet =
  /** From now on; what was left out is recorded. */
  | { kind: 'set'; year: number; lost: { first: number; last: number } }
  /** It is the next one anyway. */
  | { kind: 'known'; year: number }
  /** Documents have that number, or a higher one. */
  | { kind: 'refused'; year: number; last: number }

/** The next document of a series gets this number: those up to it were given in a shop that was lost. */
export const setNextNumber = async (
  trx: Trx,
  { number, year }: WantedNumber,
  series: NumberSeries = 'invoices',
): Promise<NumberSet> => {
  const of = year ?? (await currentYear(trx))
  const last = await lockCounter(trx, series, of)
  if (number <= last) return { kind: 'refused', year: of, last }
  if (number === last + 1) return { kind: 'known', year: of }
  const lost = { first: last + 1, last: number - 1 }
  await insertGap(trx, series, { year: of, ...lost })
  return { kind: 'set', year: of, lost }
}

/** The next number of now, for a document that is made in this transaction. */
export const takeNumber = async (
  trx: Trx,
  series: NumberSeries,
): Promise<{ year: number; number: number }> => {
  const year = await currentYear(trx)
  const number = (await lockCounter(trx, series, year)) + 1
  await countNumber(trx, series, { year, number })
  return { year, number }
}

/** '120', '2026-000120' or 'CN-2026-000120'; undefined for what is no number. */
export const readNumber = (typed: string): WantedNumber | undefined =>
  parseInvoiceNumber(typed.trim().replace(/^(?:CN|CM)-/i, ''))

/** A number as it is written in full, where only that of the current year was typed. */
export const wholeNumber = async (db: Db, typed: string, series: NumberSeries): Promise<string> => {
  const read = readNumber(typed)
  return read ? SERIES[series].numberOf(read.year ?? (await currentYear(db)), read.number) : typed
}
