import type { DayRange } from '@hedgerow/domain/periods'
import { type ExportLine, exportLine } from '#accounting/books/export-lines.ts'
import { inPounds } from '#accounting/books/in-pounds.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { readInvoicedPayments, readReferences } from '#accounting/settlement/references.ts'
import type { Db } from '#platform/database/client.ts'
import { type BookedDocument, readDocuments } from '#sales/invoices/documents.ts'
import { readSterlingRates, type SterlingRates } from '#sales/invoices/sterling.ts'

const refuseWithoutPounds = (document: BookedDocument, rates: SterlingRates): void => {
  const found = inPounds(document, rates)
  if (!('missing' in found)) return
  const { currency, month } = found.missing
  throw new MissingRate([{ kind: 'sterling', currency, when: month }])
}

/** The documents as exports have them, each with the payment that it is of. */
const linesOf = async (db: Db, documents: readonly BookedDocument[], rates: SterlingRates) => {
  const orderIds = documents.flatMap((one) => (one.kind === 'invoice' ? [one.order_id] : []))
  const invoiced = await readInvoicedPayments(db, orderIds)
  const paymentOf = (one: BookedDocument) =>
    one.kind === 'invoice' ? (invoiced.get(one.order_id) ?? null) : one.payment_id
  const references = await readReferences(
    db,
    documents.flatMap((one) => paymentOf(one) ?? []),
  )
  return documents.map((one) => exportLine(one, rates, paymentOf(one), references))
}

/**
 * Every invoice whose tax point lies within days of London, and then every credit note, a batch at a time. With
 * `wantsPounds` it throws MissingRate at a document without a rate to pounds.
 */
export async function* readExportLines(
  db: Db,
  range: DayRange,
  { wantsPounds }: { wantsPounds: boolean },
): AsyncGenerator<ExportLine[]> {
  const rates = await readSterlingRates(db)
  for await (const documents of readDocuments(db, range)) {
    if (wantsPounds) for (const document of documents) refuseWithoutPounds(document, rates)
    yield await linesOf(db, documents, rates)
  }
}
