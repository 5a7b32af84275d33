import { type DayRange, instantsOf } from '@hedgerow/domain/periods'
import type { With } from '#platform/dependencies.ts'
import { currentYear } from '#sales/invoices/number-series.queries.ts'
import {
  findInvoicedPayment,
  findCreditNote as findNote,
  findInvoice as findOne,
  listInvoices as listAll,
  listCreditNotesOfPayment,
  listCreditNotes as listNotes,
} from '#sales/invoices/read-invoices.queries.ts'

export {
  type ListedCreditNote,
  type ListedInvoice,
  selectCreditNotes,
  selectInvoices,
} from '#sales/invoices/read-invoices.queries.ts'

type Deps = With<'db'>
/** Of the current year, where none is said. */
export type DocumentNumber = { year?: number | undefined; number: number }

const between = (range: DayRange | undefined) => range && instantsOf(range)

/** The newest first, of those paid within days of London. */
export const listInvoices = ({ db }: Deps, range: DayRange | undefined, limit: number) =>
  listAll(db, between(range), limit)

/** The newest first, of those whose money went back within days of London. */
export const listCreditNotes = ({ db }: Deps, range: DayRange | undefined, limit: number) =>
  listNotes(db, between(range), limit)

/** An invoice with its payment and its credit notes. The payment is missing only where its row is. */
export const findInvoice = async ({ db }: Deps, { year, number }: DocumentNumber) => {
  const invoice = await findOne(db, year ?? (await currentYear(db)), number)
  if (!invoice) return undefined
  const payment = await findInvoicedPayment(db, invoice.order_id)
  const creditNotes = payment ? await listCreditNotesOfPayment(db, payment.id) : []
  return { invoice, payment, creditNotes }
}

export type InvoiceReport = NonNullable<Awaited<ReturnType<typeof findInvoice>>>

export const findCreditNote = async ({ db }: Deps, { year, number }: DocumentNumber) =>
  findNote(db, year ?? (await currentYear(db)), number)
