import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { createLine, type Line } from '#accounting/month-end/line.ts'
import { londonYear } from '#accounting/month-end/month.ts'
import { type Books, everyRow } from '#accounting/month-end/pages.ts'
import { listReversed, type ReversedRow } from '#accounting/month-end/restored.queries.ts'

const faultOf = (row: ReversedRow): string | undefined => {
  const { lost, restored, credit, was, year } = row
  if (!lost || row.lost_year === null || row.lost_number === null)
    return restored ? 'it was a bad debt, and an invoice was restored' : undefined
  if (!restored?.correction || year === null)
    return 'what its credit note took off is in no invoice, and came back'
  const note =
    row.credit_number === null
      ? creditNoteNumber(row.lost_year, row.lost_number)
      : creditNoteNumber(year, row.credit_number)
  if (restored.correction.invoice !== invoiceNumber(row.of_year ?? 0, row.of_number ?? 0) || !was)
    return 'its invoice says that it stands in the place of another'
  if (restored.correction.creditNote !== note) return 'its invoice names another credit note'
  if (londonYear(new Date(restored.correction.at)) !== year) return 'its invoice is of another year'
  if ((credit?.totalMinor ?? 0) !== was.totalMinor - Number(row.credited_minor))
    return 'its credit note does not take back what was left of the invoice'
  if (restored.totalMinor !== lost.totalMinor + (credit?.totalMinor ?? 0))
    return 'its invoice is of another sum than what came back and what was left'
  return restored.netMinor + restored.vatMinor === restored.totalMinor
    ? undefined
    : 'net and VAT are not the total'
}

/** Whether what credit notes of lost disputes took off, and came back, is in an invoice again. None where nothing came back. */
export const checkRestored = async (books: Books): Promise<Line[]> => {
  const line = createLine(
    'restored-invoices',
    'credit notes of lost disputes whose money came back',
    'invoices for it, less what was left of those in whose place they stand',
  )
  let count = 0
  for await (const row of everyRow<ReversedRow>(books, (after) => listReversed(books, after))) {
    count++
    const { lost, restored, credit } = row
    if (lost) line.add('left', lost.currency, lost.totalMinor)
    if (restored) line.add('right', restored.currency, restored.totalMinor - (credit?.totalMinor ?? 0))
    const fault = faultOf(row)
    if (fault) line.differ(`dispute ${row.id}`, fault)
  }
  return count === 0 ? [] : [line.end()]
}
