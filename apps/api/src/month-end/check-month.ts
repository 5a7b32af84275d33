import { INVOICE_YEARS } from '@hedgerow/domain/invoices'
import type { Db } from '#database/client.ts'
import type { With } from '#dependencies.ts'
import { checkCreditNotes } from '#month-end/check-credit-notes.ts'
import { checkInvoices } from '#month-end/check-invoices.ts'
import { checkPartners } from '#month-end/check-partners.ts'
import { checkSeries } from '#month-end/check-series.ts'
import type { Line } from '#month-end/line.ts'
import { type ListedWaiting, listRemarks, listWaiting } from '#month-end/list-waiting.ts'
import { londonYear, type Month } from '#month-end/month.ts'

export type CheckedMonth = {
  month: Month
  lines: Line[]
  waiting: ListedWaiting[]
  remarks: ListedWaiting[]
}

/** Whether its documents need not be kept any more: then some of them are gone, and nothing agrees. */
export const isForgotten = ({ year }: Month, now: Date): boolean => year < londonYear(now) - INVOICE_YEARS

/** In the order in which an accountant asks. */
const CHECKS: readonly ((db: Db, month: Month) => Promise<Line[]>)[] = [
  async (db, month) => [await checkSeries(db, 'invoices', month)],
  checkInvoices,
  async (db, month) => [await checkSeries(db, 'credit_notes', month)],
  checkCreditNotes,
  checkPartners,
]

/**
 * Whether every total of a month agrees with every other. Reads in pages, and all of it as of one moment, so that a shop
 * that goes on selling does not look wrong. Changes nothing.
 */
export const checkMonth = ({ db }: With<'db'>, month: Month, now: Date): Promise<CheckedMonth> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const lines: Line[] = []
      for (const check of CHECKS) lines.push(...(await check(trx, month)))
      return {
        month,
        lines,
        waiting: await listWaiting(trx, month, now),
        remarks: await listRemarks(trx, month, now),
      }
    })
