import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { creditOfRest, type TaxedSums } from '@hedgerow/domain/vat'
import {
  listNotesSaidOf,
  listRefundedPayments,
  listRefundsWithNotes,
  type NoteRow,
  type RefundedPayment,
  type RefundWithNote,
} from '#accounting/month-end/credit-notes.queries.ts'
import { createLine, type Line } from '#accounting/month-end/line.ts'
import { isWithin, londonYear, type Month } from '#accounting/month-end/month.ts'
import { type Books, everyRow } from '#accounting/month-end/pages.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import { listReplacements } from '#sales/invoices/credit-notes.service.ts'

const createLines = () => ({
  refunds: createLine(
    'refunds-of-payments',
    'what payments say went back',
    'refunds of them that succeeded, less what came back of lost disputes',
  ),
  notes: createLine('credit-notes-of-refunds', 'refunds of invoiced payments', 'credit notes'),
  tax: createLine('credit-note-vat', 'totals of the credit notes', 'their net and VAT'),
  left: createLine(
    'invoices-less-credit-notes',
    'invoices that have credit notes, less those and bad debts',
    'what was paid for them, and kept',
  ),
})

type Lines = ReturnType<typeof createLines>
/**
 * An invoice, and what of the charged sum had gone back before it was issued in the place of another. `restoredAt`: when, where
 * money of a lost dispute had come back, so that what had gone back is less than it was.
 */
type Issue = { snapshot: InvoiceSnapshot; noted: number; name: string; restoredAt?: Date }
type Invoiced = RefundedPayment & { snapshot: InvoiceSnapshot; issues: readonly Issue[] }
type SumsOf = (snapshot: InvoiceSnapshot) => TaxedSums | undefined

const SUMS = ['totalMinor', 'netMinor', 'vatMinor'] as const
const NOTHING: TaxedSums = { totalMinor: 0, netMinor: 0, vatMinor: 0 }

const added = (all: readonly TaxedSums[]): TaxedSums =>
  all.reduce(
    (sum, one) => ({
      totalMinor: sum.totalMinor + one.totalMinor,
      netMinor: sum.netMinor + one.netMinor,
      vatMinor: sum.vatMinor + one.vatMinor,
    }),
    NOTHING,
  )

const isSame = (one: TaxedSums, other: TaxedSums) => SUMS.every((sum) => one[sum] === other[sum])

/** A dispute that was lost, and taken as a bad debt: it takes nothing off the invoice, and its VAT is another matter. */
const isBadDebt = ({ dispute_vat }: RefundWithNote) => dispute_vat === 'bad-debt'

const totalOf = (refunds: readonly { amount_minor: number }[]) =>
  refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0)

const hasComeBack = ({ reversed_at }: RefundWithNote) => reversed_at !== null

/**
 * Which part of the payment each refund is: from what had been noted before it, which it keeps; where nothing is kept, from what
 * had gone back.
 */
const partsOf = (refunds: readonly RefundWithNote[]) => {
  let given = 0
  return refunds.map((refund) => {
    const before = refund.noted_before_minor ?? given
    given += refund.amount_minor
    return { refund, before, after: before + refund.amount_minor }
  })
}

const itself: SumsOf = (snapshot) => snapshot
const inSterling: SumsOf = ({ sterling }) => sterling

type Part = Pick<ReturnType<typeof partsOf>[number], 'before' | 'after'> & { refund?: RefundWithNote }

/** By its credit note; where there is none, the last one that what had gone back by then leaves, and that was there. */
const issueOf = (issues: readonly Issue[], { before, refund }: Part): Issue | undefined => {
  const named = refund?.snapshot && issues.find(({ name }) => name === refund.snapshot?.invoice.number)
  const wasThere = ({ restoredAt }: Issue) =>
    !restoredAt || !refund || restoredAt <= (refund.ended_at as Date)
  return named || issues.findLast((issue) => issue.noted <= before && wasThere(issue))
}

/** What a part of the payment takes off the invoice that counted when it went back. */
const takenOff = ({ issues, charged_minor: charged }: Invoiced, of: SumsOf, part: Part): TaxedSums => {
  const { before, after } = part
  const issue = issueOf(issues, part)
  const sums = issue && of(issue.snapshot)
  return sums ? creditOfRest(sums, issue.noted, charged, before, after) : NOTHING
}

/** What all that went back takes off the invoices that counted in turn. */
const takenOffInAll = (payment: Invoiced, of: SumsOf, given: number): TaxedSums =>
  added(
    payment.issues.map(({ noted }, at) =>
      takenOff(payment, of, {
        before: noted,
        after: Math.max(noted, Math.min(given, payment.issues[at + 1]?.noted ?? given)),
      }),
    ),
  )

/** Whether each refund of the month has its credit note. What takes nothing off the invoice wants none. */
const seeRefunds = (
  { notes }: Lines,
  month: Month,
  payment: Invoiced,
  refunds: readonly RefundWithNote[],
) => {
  const { charged_minor: charged } = payment
  for (const { refund, before, after } of partsOf(refunds)) {
    const takesOff = takenOff(payment, itself, { refund, before, after }).totalMinor
    const counts = Math.min(after, charged) - Math.min(before, charged)
    if (!isWithin(month, refund.ended_at as Date) || takesOff === 0) continue
    const about = `refund ${refund.id} of payment ${payment.id}`
    if (isBadDebt(refund)) {
      if (refund.snapshot) notes.differ(about, 'is a bad debt, and has a credit note')
      continue
    }
    notes.add('left', payment.charged_currency, counts)
    if (!refund.snapshot) notes.differ(about, 'has no credit note')
    else if (refund.snapshot.totalMinor !== takesOff) notes.differ(about, 'its credit note is of another sum')
  }
}

/** What bad debts would have taken off, had they been credited. */
const badDebtsOf = (payment: Invoiced, of: SumsOf, refunds: readonly RefundWithNote[]): TaxedSums[] =>
  partsOf(refunds).flatMap((part) =>
    isBadDebt(part.refund) && !hasComeBack(part.refund) ? takenOff(payment, of, part) : [],
  )

/** The same where something came back: then what went back is no one row of shares, and each counts by itself. */
const takenOffByEach = (payment: Invoiced, of: SumsOf, refunds: readonly RefundWithNote[]): TaxedSums =>
  added(
    partsOf(refunds).flatMap((part) =>
      isBadDebt(part.refund) && hasComeBack(part.refund) ? [] : takenOff(payment, of, part),
    ),
  )

/** What is left of an invoice, and what was kept of its payment: however many parts went back, and in which order. */
const seeWhatIsLeft = ({ left }: Lines, payment: Invoiced, refunds: readonly RefundWithNote[]): void => {
  const { snapshot, id } = payment
  const inAll = (of: SumsOf) =>
    refunds.some(hasComeBack)
      ? takenOffByEach(payment, of, refunds)
      : takenOffInAll(payment, of, totalOf(refunds))
  const notes = refunds.flatMap((refund) => refund.snapshot ?? [])
  const credited = added([...notes, ...badDebtsOf(payment, itself, refunds)])
  const should = inAll(itself)
  left.add('left', snapshot.currency, snapshot.totalMinor - credited.totalMinor)
  left.add('right', snapshot.currency, snapshot.totalMinor - should.totalMinor)
  if (!isSame(credited, should)) left.differ(`payment ${id}`, 'its credit notes are not what went back of it')
  if (!snapshot.sterling) return
  const badDebts = badDebtsOf(payment, inSterling, refunds)
  const inPounds = added([...notes.flatMap((note) => note.sterling ?? []), ...badDebts])
  if (!isSame(inPounds, inAll(inSterling)))
    left.differ(`payment ${id}`, 'the sterling of its credit notes is not what went back of it')
}

const seePayment = async ({ db, month }: Books, lines: Lines, payment: RefundedPayment): Promise<void> => {
  const refunds = await listRefundsWithNotes(db, payment.id)
  const { minor, currency } = paidSum(payment)
  const given = totalOf(refunds.filter((refund) => !hasComeBack(refund)))
  lines.refunds.add('left', currency, payment.refunded_minor)
  lines.refunds.add('right', currency, Math.min(given, minor))
  if (payment.refunded_minor !== Math.min(given, minor))
    lines.refunds.differ(`payment ${payment.id}`, 'what it says went back is not the sum of its refunds')
  const { snapshot } = payment
  if (!snapshot) return
  const replacements = await listReplacements(db, [payment.id])
  const issues = [
    { snapshot, noted: 0, name: invoiceNumber(payment.year ?? 0, payment.number ?? 0) },
    ...replacements.map((one) => ({
      snapshot: one.snapshot,
      noted: one.noted_minor,
      name: invoiceNumber(one.year, one.number),
      ...(one.refund_id === null ? {} : { restoredAt: one.issued_at }),
    })),
  ]
  seeRefunds(lines, month, { ...payment, snapshot, issues }, refunds)
  seeWhatIsLeft(lines, { ...payment, snapshot, issues }, refunds)
}

/** Whether it says of itself what its refund and its invoice say. */
const noteFault = ({ status, ended_at, year, invoice, snapshot, ...row }: NoteRow): string | undefined => {
  if (status !== 'Success' || !ended_at) return 'the refund that it is for did not succeed'
  if (snapshot.refundedAt !== ended_at.toISOString()) return 'it says another time than its refund'
  if (londonYear(ended_at) !== year) return `the money went back in ${londonYear(ended_at)}`
  if (!invoice || row.invoice_year === null || row.invoice_number === null)
    return 'the invoice that it names is not there'
  if (!row.is_invoiced || row.order_id !== row.invoice_order_id)
    return 'the money that went back is not what the invoice was paid with'
  if (snapshot.invoice.number !== invoiceNumber(row.invoice_year, row.invoice_number))
    return 'it names its invoice by another number'
  return snapshot.currency === invoice.currency ? undefined : 'it is in another currency than its invoice'
}

const noteTaxFault = ({ snapshot, invoice }: NoteRow): string | undefined => {
  if (snapshot.netMinor + snapshot.vatMinor !== snapshot.totalMinor) return 'net and VAT are not the total'
  const { sterling } = snapshot
  if (sterling && sterling.netMinor + sterling.vatMinor !== sterling.totalMinor)
    return 'net and VAT in sterling are not the total in sterling'
  if (!invoice) return undefined
  const isSameTax =
    snapshot.vatRate === invoice.vatRate &&
    snapshot.vat?.treatment === invoice.vat?.treatment &&
    snapshot.vat?.country === invoice.vat?.country
  if (!isSameTax) return 'it is taxed otherwise than its invoice'
  const isSameRate =
    sterling?.rateMicro === invoice.sterling?.rateMicro && sterling?.rateDay === invoice.sterling?.rateDay
  return isSameRate ? undefined : 'its sterling is at another rate than that of its invoice'
}

const seeNote = ({ notes, tax }: Lines, row: NoteRow): void => {
  const { snapshot } = row
  const about = `credit note ${creditNoteNumber(row.year, row.number)}`
  const { charged, currency, totalMinor, netMinor, vatMinor } = snapshot
  notes.add('right', charged?.currency ?? currency, charged?.minor ?? totalMinor)
  tax.add('left', currency, totalMinor)
  tax.add('right', currency, netMinor + vatMinor)
  const fault = noteFault(row)
  if (fault) notes.differ(about, fault)
  const taxed = noteTaxFault(row)
  if (taxed) tax.differ(about, taxed)
}

/** Whether what went back has its credit notes, and whether these leave on the invoices what was kept. */
export const checkCreditNotes = async (books: Books): Promise<Line[]> => {
  const lines = createLines()
  const payments = everyRow<RefundedPayment>(books, (after) => listRefundedPayments(books, after))
  for await (const payment of payments) await seePayment(books, lines, payment)
  for await (const row of everyRow<NoteRow>(books, (after) => listNotesSaidOf(books, after)))
    seeNote(lines, row)
  return Object.values(lines).map((line) => line.end())
}
