import { INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { checkCorrections } from '#accounting/month-end/check-corrections.ts'
import { checkCreditNotes } from '#accounting/month-end/check-credit-notes.ts'
import { checkInvoices } from '#accounting/month-end/check-invoices.ts'
import { checkOss } from '#accounting/month-end/check-oss.ts'
import { checkPartners } from '#accounting/month-end/check-partners.ts'
import { checkRestored } from '#accounting/month-end/check-restored.ts'
import { checkSeries } from '#accounting/month-end/check-series.ts'
import { checkSettlement } from '#accounting/month-end/check-settlement.ts'
import { checkVat } from '#accounting/month-end/check-vat.ts'
import type { Line } from '#accounting/month-end/line.ts'
import { type ListedWaiting, listRemarks, listWaiting } from '#accounting/month-end/list-waiting.ts'
import { londonYear, type Month } from '#accounting/month-end/month.ts'
import { type Books, PAGE_ROWS } from '#accounting/month-end/pages.ts'
import type { With } from '#platform/dependencies.ts'
import { inOneState } from '#sales/invoices/documents.ts'

export type CheckedMonth = {
  month: Month
  lines: Line[]
  waiting: ListedWaiting[]
  remarks: ListedWaiting[]
}

/** Whether its documents need not be kept any more: then some of them are gone, and nothing agrees. */
export const isForgotten = ({ year }: Month, now: Date): boolean => year < londonYear(now) - INVOICE_YEARS

/** Nothing differs, and nothing waits. */
export const isClosable = ({ lines, waiting }: CheckedMonth): boolean =>
  lines.every(({ agrees }) => agrees) && waiting.length === 0

/** In the order in which an accountant asks. */
const CHECKS: readonly ((books: Books) => Promise<Line[]>)[] = [
  async (books) => [await checkSeries(books, 'invoices')],
  checkInvoices,
  async (books) => [await checkSeries(books, 'credit_notes')],
  checkCreditNotes,
  checkCorrections,
  checkRestored,
  checkVat,
  checkOss,
  async (books) => [await checkSeries(books, 'commissions')],
  checkPartners,
]

const readAll = async (books: Books, now: Date): Promise<CheckedMonth> => {
  const { db, month } = books
  const lines: Line[] = []
  for (const check of CHECKS) lines.push(...(await check(books)))
  const settlement = await checkSettlement(books)
  return {
    month,
    lines: [...lines, ...settlement.lines],
    waiting: [...(await listWaiting(db, month, now)), ...settlement.waiting],
    remarks: [...(await listRemarks(db, month, now)), ...settlement.remarks],
  }
}

/**
 * Whether every total of a month agrees with every other. Reads in pages, and all of it as of one moment, so that a shop that
 * goes on selling does not look wrong; within the caller's transaction if `db` is one. Changes nothing.
 */
export const checkMonth = (
  { db }: With<'db'>,
  month: Month,
  now: Date,
  pageRows = PAGE_ROWS,
): Promise<CheckedMonth> => inOneState(db, (own) => readAll({ db: own, month, pageRows }, now))
