import { invoiceNumber } from '@hedgerow/domain/invoices'
import { creditOfRest, type TaxedSums } from '@hedgerow/domain/vat'
import type { Trx } from '#platform/database/client.ts'
import { inSlices, LONG_MS } from '#platform/database/slices.ts'
import type {
  CreditNoteSnapshot,
  InvoiceSnapshot,
  SterlingSums,
} from '#platform/database/tables/invoices.table.ts'
import type { With } from '#platform/dependencies.ts'
import {
  holdPayment,
  insertNote,
  listToNote,
  listToNoteOf,
  markNoted,
  notedOf,
  type RefundToNote,
} from '#sales/invoices/credit-notes.queries.ts'
import { lockCounter } from '#sales/invoices/number-series.queries.ts'

const BATCH = 100
/** Of those that cannot be issued; the others come after them. */
const MOST_NAMED = 10

/** Of the invoice's own sterling, by its own rate: what goes back whole leaves nothing in pounds either. */
const sterlingOf = (
  { sterling }: InvoiceSnapshot,
  creditFrom: (sums: TaxedSums) => TaxedSums,
): { sterling: SterlingSums } | object =>
  sterling
    ? {
        sterling: {
          ...creditFrom(sterling),
          rateMicro: sterling.rateMicro,
          rateDay: sterling.rateDay,
        } satisfies SterlingSums,
      }
    : {}

const chargedOf = (
  { charged }: InvoiceSnapshot,
  minor: number,
): Pick<CreditNoteSnapshot, 'charged'> | object => (charged ? { charged: { ...charged, minor } } : {})

type Invoiced = RefundToNote & {
  order_id: string
  invoice_year: number
  invoice_number: number
  invoice_issued_at: Date
  snapshot: InvoiceSnapshot
  noted_minor: number
}

const isInvoiced = (refund: RefundToNote): refund is Invoiced => refund.snapshot !== null

/** Undefined where it takes nothing off the invoice: more had gone back than was paid. */
const snapshotOf = (refund: Invoiced, before: number): CreditNoteSnapshot | undefined => {
  const { snapshot, charged_minor, amount_minor, noted_minor } = refund
  const creditFrom = (sums: TaxedSums) =>
    creditOfRest(sums, noted_minor, charged_minor, before, before + amount_minor)
  const sums = creditFrom(snapshot)
  if (sums.totalMinor === 0) return undefined
  const { issuer, description, details, method, pan, currency, vatRate, buyer, vat } = snapshot
  return {
    issuer,
    invoice: {
      orderId: refund.order_id,
      number: invoiceNumber(refund.invoice_year, refund.invoice_number),
      issuedAt: refund.invoice_issued_at.toISOString(),
    },
    refundedAt: (refund.ended_at as Date).toISOString(),
    reason: refund.reason,
    description,
    details,
    method,
    pan,
    currency,
    ...sums,
    vatRate,
    ...(buyer ? { buyer } : {}),
    ...(vat ? { vat } : {}),
    ...sterlingOf(snapshot, creditFrom),
    ...chargedOf(snapshot, Math.min(amount_minor, Math.max(0, charged_minor - before))),
  }
}

/** Gives a refund its credit note, once. Refunds of a payment have to come in the order in which they ended. */
const note = async (trx: Trx, refund: RefundToNote): Promise<void> => {
  const { refund_id: refundId, payment_id: paymentId, year } = refund
  if (!isInvoiced(refund)) {
    // What bought nothing has no invoice, and its return changes no books of sales.
    await markNoted(trx, refundId, 0)
    return
  }
  // First: then every other numbering of this payment's notes has finished, in whichever year, and so has a correction.
  await holdPayment(trx, paymentId)
  const [held] = await listToNoteOf(trx, paymentId, refundId)
  if (!held || !isInvoiced(held)) return
  const last = await lockCounter(trx, 'credit-notes', year)
  const before = await notedOf(trx, paymentId)
  if (!(await markNoted(trx, refundId, before))) return
  const snapshot = snapshotOf(held, before)
  if (snapshot) await insertNote(trx, { refundId, paymentId, year, number: last + 1, snapshot })
}

/** Each by itself: one that fails holds up no other. Returns those that could not be noted, with why. */
const noteEach = async (
  { db }: With<'db'>,
  refunds: readonly RefundToNote[],
): Promise<Map<string, unknown>> => {
  const failed = new Map<string, unknown>()
  for (const refund of refunds)
    await db
      .transaction()
      .execute((trx) => note(trx, refund))
      .catch((error: unknown) => failed.set(refund.refund_id, error))
  return failed
}

/**
 * Gives every refund of an invoiced payment its credit note, in the order in which the money went back. Throws at its end
 * what kept one from being issued; that one takes no number, and is tried again with the next run.
 */
export const issueDueCreditNotes = async (deps: With<'db'>): Promise<void> => {
  const failed = new Map<string, unknown>()
  await inSlices(
    async (rows) => {
      const refunds = await listToNote(deps.db, rows, [...failed.keys()])
      for (const [refundId, error] of await noteEach(deps, refunds)) failed.set(refundId, error)
      return refunds.length
    },
    { rows: BATCH, ms: LONG_MS },
  )
  if (failed.size === 0) return
  const refunds = [...failed.keys()].slice(0, MOST_NAMED).join(', ')
  const causes = [...failed.values()]
  const [why] = causes
  const words =
    failed.size === 1 ? 'a credit note cannot be issued' : `${failed.size} credit notes cannot be issued`
  throw new AggregateError(
    causes,
    `${words}, of refund ${refunds}: ${why instanceof Error ? why.message : why}`,
  )
}

/** The same within a transaction that has locked the payment, and the counter of invoices before that of credit notes. */
export const noteWithin = async (trx: Trx, paymentId: string): Promise<void> => {
  for (const refund of (await listToNoteOf(trx, paymentId)).filter(isInvoiced)) await note(trx, refund)
}

/** For a mail, or a customer, who is faster than the recurring job: those of one payment, whose invoice has to be there. */
export const issueCreditNotesOf = async (deps: With<'db'>, paymentId: string): Promise<void> => {
  const failed = await noteEach(deps, (await listToNoteOf(deps.db, paymentId)).filter(isInvoiced))
  for (const error of failed.values()) throw error
}
