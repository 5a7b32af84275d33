import {
  type CreditNoteLine,
  exportCreditNotes,
  exportInvoices,
  getSeries,
  type InvoiceLine,
  invoicePdf,
  listConsoleCreditNotes,
  listConsoleInvoices,
  openCreditNote,
  openInvoice,
  setSeries,
} from '@hedgerow/contract/console/books'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMinor } from '@hedgerow/domain/money'
import { instantsOf, isDay } from '@hedgerow/domain/periods'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { creditNoteFacts, invoiceFacts, taxWords } from '#desk/presentation/present-invoice.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { presentInvoice } from '#sales/invoices/invoices.present.ts'
import { getNextNumber, setNextNumber } from '#sales/invoices/next-number.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'
import {
  findCreditNote,
  findInvoice,
  type ListedCreditNote,
  type ListedInvoice,
  selectCreditNotes,
  selectInvoices,
} from '#sales/invoices/read-invoices.ts'

const EVER = { from: '2020-01-01', to: '2099-12-31' }

type Days = { from?: string | undefined; to?: string | undefined }

/** The instants between which some days of London lie; undefined where none is named. Throws 'invalid'. */
export const betweenDays = ({ from, to }: Days) => {
  if (from === undefined && to === undefined) return undefined
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day)) throw invalidField(name, 'There is no such day.')
  const range = { from: from ?? EVER.from, to: to ?? EVER.to }
  if (range.from > range.to) throw invalidField('to', 'The last day is before the first.')
  return instantsOf(range)
}

const sums = (snapshot: InvoiceSnapshot | CreditNoteSnapshot) => ({
  currency: snapshot.currency,
  netMinor: snapshot.netMinor,
  vatMinor: snapshot.vatMinor,
  totalMinor: snapshot.totalMinor,
  tax: taxWords(snapshot),
})

const invoiceLine = (row: ListedInvoice): InvoiceLine => ({
  number: invoiceNumber(row.year, row.number),
  issuedAt: row.issued_at.toISOString(),
  at: row.snapshot.paidAt,
  ...sums(row.snapshot),
  orderId: row.order_id,
  creditedMinor: Number(row.credited_minor),
})

const noteLine = (row: ListedCreditNote): CreditNoteLine => ({
  number: creditNoteNumber(row.year, row.number),
  issuedAt: row.issued_at.toISOString(),
  at: row.snapshot.refundedAt,
  ...sums(row.snapshot),
  orderId: row.snapshot.invoice.orderId,
  invoice: row.snapshot.invoice.number,
  paymentId: row.payment_id,
  reason: row.snapshot.reason,
})

type Line = InvoiceLine | CreditNoteLine

const DOCUMENT_COLUMNS = [
  { name: 'number', title: 'Number', cell: ({ number }: Line) => number },
  { name: 'issuedAt', title: 'Issued (UTC)', cell: ({ issuedAt }: Line) => issuedAt },
  { name: 'net', title: 'Net', cell: ({ netMinor }: Line) => formatMinor(netMinor) },
  { name: 'vat', title: 'VAT', cell: ({ vatMinor }: Line) => formatMinor(vatMinor) },
  { name: 'total', title: 'Total', cell: ({ totalMinor }: Line) => formatMinor(totalMinor) },
  { name: 'currency', title: 'Currency', cell: ({ currency }: Line) => currency },
  { name: 'tax', title: 'Tax', cell: ({ tax }: Line) => tax },
  { name: 'orderId', title: 'Order', cell: ({ orderId }: Line) => orderId },
] as const

const invoices: ListDefinition<
  z.output<typeof listConsoleInvoices.schema.querystring>,
  ListedInvoice,
  InvoiceLine
> = {
  query: (db, { from, to, currency, treatment }) =>
    selectInvoices(db, { between: betweenDays({ from, to }), currency, treatment }),
  sorts: { issuedAt: { by: sql`invoices.issued_at`, type: 'timestamptz' } },
  id: { by: sql`invoices.order_id`, type: 'uuid' },
  show: invoiceLine,
  columns: [
    ...DOCUMENT_COLUMNS,
    { name: 'at', title: 'Paid (UTC)', cell: ({ at }) => at },
    { name: 'credited', title: 'Credited', cell: ({ creditedMinor }) => formatMinor(creditedMinor) },
  ],
}

const creditNotes: ListDefinition<
  z.output<typeof listConsoleCreditNotes.schema.querystring>,
  ListedCreditNote,
  CreditNoteLine
> = {
  query: (db, { from, to, currency, treatment }) =>
    selectCreditNotes(db, { between: betweenDays({ from, to }), currency, treatment }),
  sorts: { issuedAt: { by: sql`credit_notes.issued_at`, type: 'timestamptz' } },
  id: { by: sql`credit_notes.refund_id`, type: 'uuid' },
  show: noteLine,
  columns: [
    ...DOCUMENT_COLUMNS,
    { name: 'at', title: 'Given back (UTC)', cell: ({ at }) => at },
    { name: 'invoice', title: 'Invoice', cell: ({ invoice }) => invoice },
    { name: 'reason', title: 'Because', cell: ({ reason }) => plainText(reason) },
    { name: 'paymentId', title: 'Payment', cell: ({ paymentId }) => paymentId },
  ],
}

const partsOf = (number: string) => {
  const [year = '', of = ''] = number.replace('CN-', '').split('-')
  return { year: Number(year), number: Number(of) }
}

const told = (facts: readonly (readonly [string, string])[]) => facts.map(([what, says]) => ({ what, says }))

const SERIES = { invoices: invoiceNumber, 'credit-notes': creditNoteNumber } as const

const seriesRoutes = (app: FastifyInstance, deps: With<'db'>): void => {
  implementForOperators(app, deps, getSeries, async () =>
    Promise.all(
      (['invoices', 'credit-notes'] as const).map(async (series) => {
        const { year, next, gaps } = await getNextNumber(deps.db, undefined, series)
        const numberOf = SERIES[series]
        return {
          series,
          next: numberOf(year, next),
          missing: gaps.map(({ first, last, created_at }) => ({
            from: numberOf(year, first),
            to: numberOf(year, last),
            at: created_at.toISOString(),
          })),
        }
      }),
    ),
  )

  implementForOperators(app, deps, setSeries, async ({ params: { series }, body: { number } }) => {
    const outcome = await deps.db.transaction().execute((trx) => setNextNumber(trx, { number }, series))
    if (outcome.kind === 'refused')
      throw refused(
        `numbers up to ${SERIES[series](outcome.year, outcome.last)} have been issued, so the next must be higher`,
      )
    return { isChanged: outcome.kind === 'set' }
  })
}

/** Invoices, credit notes, and their numbers. */
export const documentsRoutes = (
  app: FastifyInstance,
  deps: ConsoleListDependencies & InvoiceDependencies,
): void => {
  const ofInvoices = { list: listConsoleInvoices, file: exportInvoices, fileName: 'invoices' }
  serveList(app, deps, ofInvoices, invoices)
  const ofNotes = { list: listConsoleCreditNotes, file: exportCreditNotes, fileName: 'credit-notes' }
  serveList(app, deps, ofNotes, creditNotes)

  implementForOperators(app, deps, openInvoice, async ({ params }) => {
    const report = await findInvoice(deps, partsOf(params.number))
    if (!report) throw new Problem('document-not-found')
    return {
      facts: told(invoiceFacts(report)),
      orderId: report.invoice.order_id,
      paymentId: report.payment?.id ?? null,
    }
  })

  implementForOperators(app, deps, invoicePdf, async ({ params }, reply) => {
    const report = await findInvoice(deps, partsOf(params.number))
    if (!report) throw new Problem('document-not-found')
    const bytes = await deps.pdfs.make(presentInvoice(report.invoice))
    reply.type('application/pdf')
    reply.header('content-disposition', `attachment; filename="invoice-${params.number}.pdf"`)
    return bytes as never
  })

  implementForOperators(app, deps, openCreditNote, async ({ params }) => {
    const note = await findCreditNote(deps, partsOf(params.number))
    if (!note) throw new Problem('document-not-found')
    return {
      facts: told(creditNoteFacts(note)),
      orderId: note.snapshot.invoice.orderId,
      paymentId: note.payment_id,
    }
  })

  seriesRoutes(app, deps)
}
