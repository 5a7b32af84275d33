import { invoiceNumber } from '@hedgerow/domain/invoices'
import type { With } from '#platform/dependencies.ts'
import {
  findInvoicedPayment,
  findCreditNote as findNote,
  findInvoice as findOne,
  listCreditNotesOn,
} from '#sales/invoices/read-invoices.queries.ts'

export {
  creditNotesOrder,
  invoicesOrder,
  type ListedCreditNote,
  type ListedInvoice,
  selectCreditNotes,
  selectInvoices,
} from '#sales/invoices/read-invoices.queries.ts'

type Deps = With<'db'>

/** Of '2026-000042' and 'CN-2026-000007' the year and the number. */
const partsOf = (name: string) => {
  const [year = 0, number = 0] = name.replace('CN-', '').split('-').map(Number)
  return { year, number }
}

/** An invoice with its payment and its credit notes. The payment is missing only where its row is. */
export const findInvoice = async ({ db }: Deps, name: string) => {
  const invoice = await findOne(db, partsOf(name))
  if (!invoice) return undefined
  const payment = await findInvoicedPayment(db, invoice.order_id)
  const creditNotes = payment
    ? await listCreditNotesOn(db, payment.id, invoiceNumber(invoice.year, invoice.number))
    : []
  return { invoice, payment, creditNotes }
}

export type InvoiceReport = NonNullable<Awaited<ReturnType<typeof findInvoice>>>

export const findCreditNote = ({ db }: Deps, name: string) => findNote(db, partsOf(name))
