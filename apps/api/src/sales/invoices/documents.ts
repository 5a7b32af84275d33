import { isoDay } from '@hedgerow/domain/dates'
import { type DayRange, instantsOf } from '@hedgerow/domain/periods'
import type { Db, Trx } from '#platform/database/client.ts'
import {
  type CreditNoteRow,
  countUnwritten as countUnwrittenBetween,
  type DocumentPlace,
  type InvoiceRow,
  listCreditNotesAfter,
  listInvoicesAfter,
  type TaxPoints,
} from '#sales/invoices/documents.queries.ts'

export type InvoiceDocument = InvoiceRow & {
  kind: 'invoice'
  /** When the money came: the tax point. Of a correction when it was made. */
  taxPoint: Date
  /** The day of the sale, in London. */
  saleDay: string
}
export type CreditNoteDocument = CreditNoteRow & {
  kind: 'credit-note'
  /** When the money went back, or the invoice was corrected. */
  taxPoint: Date
  /** Of the sale that it takes back; where that invoice is not kept any more, of its issue. */
  saleDay: string
}
export type BookedDocument = InvoiceDocument | CreditNoteDocument

/** So many at a time, whatever a year holds. */
const BATCH = 1000

const pointsOf = (range: DayRange): TaxPoints => {
  const { begins, ends } = instantsOf(range)
  return {
    begins: begins.toISOString(),
    ends: ends.toISOString(),
    firstYear: Number(range.from.slice(0, 4)),
    lastYear: Number(range.to.slice(0, 4)),
  }
}

async function* batches<Row extends DocumentPlace>(
  read: (place: DocumentPlace | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let place: DocumentPlace | undefined
  for (;;) {
    const rows = await read(place, BATCH)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    place = rows.at(-1)
  }
}

const asInvoice = (row: InvoiceRow): InvoiceDocument => {
  const { paidAt, correction } = row.snapshot
  const taxPoint = new Date(correction?.at ?? paidAt)
  return { kind: 'invoice', ...row, taxPoint, saleDay: isoDay(new Date(paidAt)) }
}

const asCreditNote = (row: CreditNoteRow): CreditNoteDocument => ({
  kind: 'credit-note',
  ...row,
  taxPoint: new Date(row.snapshot.refundedAt),
  saleDay: isoDay(new Date(row.paid_at ?? row.snapshot.invoice.issuedAt)),
})

/**
 * The invoices and then the credit notes whose tax point lies in a range, each in the order of their numbers, a batch at a
 * time. To be read in one transaction that sees one state: see inOneState.
 */
export async function* readDocuments(db: Db, range: DayRange): AsyncGenerator<BookedDocument[]> {
  const points = pointsOf(range)
  for await (const rows of batches((place, limit) => listInvoicesAfter(db, points, place, limit)))
    yield rows.map(asInvoice)
  for await (const rows of batches((place, limit) => listCreditNotesAfter(db, points, place, limit)))
    yield rows.map(asCreditNote)
}

export type Unwritten = { invoices: number; creditNotes: number }

/** What belongs into a range and has no invoice or credit note yet. */
export const countUnwritten = async (db: Db, range: DayRange): Promise<Unwritten> => {
  const { begins, ends } = instantsOf(range)
  const { invoices, credit_notes } = await countUnwrittenBetween(db, begins, ends)
  return { invoices, creditNotes: credit_notes }
}

/** Runs what reads in several steps on one state of the books, whatever is issued meanwhile. */
export const inOneState = <T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? read(db)
    : db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((trx: Trx) => read(trx))
