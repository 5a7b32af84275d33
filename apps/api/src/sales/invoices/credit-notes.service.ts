import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { listReplacements } from '#sales/invoices/corrections.queries.ts'
import {
  findCorrectionNoteOf,
  findNote,
  findNoteOf,
  listNoteNumbers,
} from '#sales/invoices/credit-notes.queries.ts'
import { presentCreditNote } from '#sales/invoices/invoices.present.ts'
import { issueCreditNotesOf } from '#sales/invoices/issue-credit-notes.ts'
import { issueInvoice } from '#sales/invoices/issue-invoices.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

export { listReplacements } from '#sales/invoices/corrections.queries.ts'
export { notedMinor } from '#sales/invoices/credit-notes.queries.ts'

type Deps = With<'db' | 'settings'> & InvoiceDependencies

/** The invoice that they name first, where it is still due. Throws what keeps either from being issued. */
const issueNotes = async (
  deps: With<'db' | 'settings'>,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<void> => {
  await issueInvoice(deps, orderId)
  await issueCreditNotesOf(deps, paymentId)
}

/** The numbers of credit notes of some payments, by refund. */
export const creditNoteNumbers = async (
  { db }: With<'db'>,
  paymentIds: readonly string[],
): Promise<Map<string, string>> =>
  new Map(
    (await listNoteNumbers(db, paymentIds)).map(({ refund_id, year, number }) => [
      refund_id,
      creditNoteNumber(year, number),
    ]),
  )

/** What took the place of the invoices of some payments, and what took them back, the oldest first, by payment. */
export const correctionsOf = async ({ db }: With<'db'>, paymentIds: readonly string[]) =>
  Map.groupBy(
    (await listReplacements(db, paymentIds)).map(
      ({ id, payment_id, year, number, credit_number, refund_id, issued_at }) => ({
        id,
        paymentId: payment_id,
        invoice: invoiceNumber(year, number),
        ...(credit_number === null ? {} : { creditNote: creditNoteNumber(year, credit_number) }),
        isRestored: refund_id !== null,
        issuedAt: issued_at,
      }),
    ),
    ({ paymentId }) => paymentId,
  )

export type ListedCorrection = NonNullable<
  ReturnType<Awaited<ReturnType<typeof correctionsOf>>['get']>
>[number]

/**
 * For the customer whose money went back, or whose invoice was corrected. Throws 'credit-note-not-found', also for another customer's refund, and
 * 'credit-note-fails' or 'invoice-fails' where it cannot be issued.
 */
export const creditNote = async (deps: Deps, customerId: string, id: string): Promise<Buffer> => {
  const find = () => findNoteOf(deps.db, customerId, id)
  let found = await find()
  if (found?.status === 'Success' && !found.is_noted) {
    const { order_id: orderId, payment_id: paymentId } = found
    const failed = await issueNotes(deps, { orderId, paymentId }).catch((error: unknown) => ({ error }))
    // Asked again: where the database is what fails, it says so itself.
    found = await find()
    if (failed && !found?.snapshot)
      throw failed.error instanceof Problem ? failed.error : new Problem('credit-note-fails')
  }
  const { year, number, issued_at, snapshot } =
    found ?? (await findCorrectionNoteOf(deps.db, customerId, id)) ?? {}
  if (!year || !number || !issued_at || !snapshot) throw new Problem('credit-note-not-found')
  return deps.pdfs.make(presentCreditNote({ year, number, issued_at, snapshot }))
}

export type NoteToMail = { number: string; pdf: Buffer }

/**
 * For the mail that tells of a refund, issued first if it is not there yet. Undefined where there is none to be had: what
 * was refunded has no invoice. Throws what keeps it from being issued or made.
 */
export const creditNoteToMail = async (
  deps: Deps,
  refund: { id: string; order_id: string; payment_id: string },
): Promise<NoteToMail | undefined> => {
  const find = () => findNote(deps.db, refund.id)
  let note = await find()
  if (!note) {
    await issueNotes(deps, { orderId: refund.order_id, paymentId: refund.payment_id })
    note = await find()
  }
  if (!note) return undefined
  const data = presentCreditNote(note)
  return { number: data.number, pdf: await deps.pdfs.make(data) }
}
