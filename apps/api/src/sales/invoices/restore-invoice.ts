import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { splitVat, type TaxedSums } from '@hedgerow/domain/vat'
import type { Trx } from '#platform/database/client.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { creditOfLeft, type Left, leftOfInvoice } from '#sales/invoices/correct-invoice.ts'
import {
  findLiveInvoice,
  insertRestored,
  isInvoiceDue,
  listCreditsOn,
} from '#sales/invoices/corrections.queries.ts'
import { findNote, holdPayment, notedOf } from '#sales/invoices/credit-notes.queries.ts'
import { noteWithin } from '#sales/invoices/issue-credit-notes.ts'
import { currentYear, lockCounter } from '#sales/invoices/number-series.queries.ts'
import { convertSums } from '#sales/invoices/sterling.ts'

const sumOf = (one: TaxedSums, other: TaxedSums): TaxedSums => ({
  totalMinor: one.totalMinor + other.totalMinor,
  netMinor: one.netMinor + other.netMinor,
  vatMinor: one.vatMinor + other.vatMinor,
})

/** What the credit note took off; at the rate of the invoice that counts now, where that was corrected since. */
const backAt = (
  { vatRate, sterling }: InvoiceSnapshot,
  back: CreditNoteSnapshot,
): { sums: TaxedSums; sterling: TaxedSums | undefined } => {
  const sums =
    vatRate === back.vatRate ? back : { totalMinor: back.totalMinor, ...splitVat(back.totalMinor, vatRate) }
  const isSame = vatRate === back.vatRate && sterling?.rateMicro === back.sterling?.rateMicro
  return {
    sums,
    sterling: isSame
      ? back.sterling
      : sterling && convertSums(sums, { rateMicro: sterling.rateMicro, day: sterling.rateDay }),
  }
}

const withBack = (was: InvoiceSnapshot, left: Left, back: CreditNoteSnapshot) => {
  const { sums, sterling } = backAt(was, back)
  const charged = left.charged && {
    ...left.charged,
    minor: left.charged.minor + (back.charged?.minor ?? 0),
  }
  return {
    ...sumOf(left.sums, sums),
    ...(left.sterling && sterling
      ? { sterling: { ...left.sterling, ...sumOf(left.sterling, sterling) } }
      : {}),
    ...(charged ? { charged } : {}),
  }
}

/**
 * Before the money of a lost dispute comes back: all that went back of the payment has its credit note. False where its
 * invoice is not issued yet.
 */
export const settleNotes = async (trx: Trx, paymentId: string): Promise<boolean> => {
  if (await isInvoiceDue(trx, paymentId)) return false
  // As whoever wants both: before any counter of credit notes.
  await lockCounter(trx, 'invoices', await currentYear(trx))
  await noteWithin(trx, paymentId)
  return true
}

/**
 * The money that a lost dispute took has come back, and its refund counts no more: an invoice of what was left and of what
 * the loss's credit note took off takes the place of the one that counted. What was left of that is credited. Nothing is done
 * where the loss had no credit note. To be called after `settleNotes`, with the dispute reversed.
 */
export const restoreInvoice = async (trx: Trx, paymentId: string, refundId: string): Promise<void> => {
  await holdPayment(trx, paymentId)
  const lost = await findNote(trx, refundId)
  const live = lost && (await findLiveInvoice(trx, paymentId))
  if (!live) return
  const { year: ofYear, number: ofNumber, snapshot: was } = live
  const of = invoiceNumber(ofYear, ofNumber)
  const left = leftOfInvoice(was, await listCreditsOn(trx, paymentId, of))
  const year = await currentYear(trx)
  const number = (await lockCounter(trx, 'invoices', year)) + 1
  const at = new Date().toISOString()
  const note =
    left.sums.totalMinor === 0
      ? undefined
      : {
          number: (await lockCounter(trx, 'credit-notes', year)) + 1,
          snapshot: creditOfLeft(live, left, at),
        }
  const { correction: _, discount: __, sterling: ___, ...same } = was
  const snapshot: InvoiceSnapshot = {
    ...same,
    ...withBack(was, left, lost.snapshot),
    correction: {
      invoice: of,
      issuedAt: live.issued_at.toISOString(),
      creditNote: note ? creditNoteNumber(year, note.number) : creditNoteNumber(lost.year, lost.number),
      at,
    },
  }
  const correctionId = await insertRestored(trx, {
    refundId,
    paymentId,
    orderId: live.order_id,
    of: { year: ofYear, number: ofNumber },
    notedMinor: await notedOf(trx, paymentId),
    year,
    note,
    invoice: { number, snapshot },
  })
  await addJob(trx, 'mail-correction', { correctionId })
}
