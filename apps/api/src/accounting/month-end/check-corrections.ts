import { isoDay } from '@hedgerow/domain/dates'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { splitVat, vatOfSale } from '@hedgerow/domain/vat'
import { type CorrectionRow, listCorrections } from '#accounting/month-end/corrections.queries.ts'
import { createLine, type Line } from '#accounting/month-end/line.ts'
import { londonYear } from '#accounting/month-end/month.ts'
import { type Books, everyRow } from '#accounting/month-end/pages.ts'

/** Whether it names the invoice that it takes back, and the two papers each other. */
const nameFault = (row: CorrectionRow): string | undefined => {
  const { snapshot, credit_snapshot: credit, year } = row
  const of = invoiceNumber(row.of_year, row.of_number)
  if (row.was_order_id !== row.order_id)
    return `it stands in the place of ${of}, which is no invoice of its order`
  if (credit.invoice.number !== of) return `its credit note is on ${credit.invoice.number}, not on ${of}`
  if (snapshot.correction?.invoice !== of)
    return `it says that it stands in the place of ${snapshot.correction?.invoice}`
  if (snapshot.correction.creditNote !== creditNoteNumber(year, row.credit_number))
    return 'it names another credit note than its own'
  const { at } = snapshot.correction
  return credit.refundedAt === at && londonYear(new Date(at)) === year
    ? undefined
    : 'its two papers are not of one moment, or of another year'
}

const sumFault = ({
  was,
  snapshot,
  credit_snapshot: credit,
  refunded_minor,
}: CorrectionRow): string | undefined => {
  if (was && credit.totalMinor !== was.totalMinor - Number(refunded_minor))
    return 'its credit note does not take back what was left of the invoice'
  if (was && (credit.vatRate !== was.vatRate || credit.vat?.treatment !== was.vat?.treatment))
    return 'its credit note is taxed otherwise than the invoice that it takes back'
  if (snapshot.totalMinor !== credit.totalMinor || snapshot.currency !== credit.currency)
    return 'the new invoice is of another sum than what was taken back'
  return [snapshot, credit].every(({ netMinor, vatMinor, totalMinor }) => netMinor + vatMinor === totalMinor)
    ? undefined
    : 'net and VAT are not the total'
}

/** Where the rate stayed, the VAT did; else it is that of the rate. */
const taxFault = ({ snapshot, credit_snapshot: credit }: CorrectionRow): string | undefined => {
  const { vat, vatRate, totalMinor, vatMinor, paidAt, buyer } = snapshot
  const should = vatRate === credit.vatRate ? credit.vatMinor : splitVat(totalMinor, vatRate).vatMinor
  if (vatMinor !== should) return `the VAT is not ${vatRate} % of the net sum`
  if (!vat) return undefined
  const facts = { country: vat.country, numberStanding: vat.numberStanding ?? null }
  const owed = vatOfSale(facts, isoDay(new Date(paidAt)))
  if (owed.rate !== vatRate || owed.treatment !== vat.treatment)
    return `it is taxed as '${vat.treatment}' at ${vatRate} %, not as '${owed.treatment}' at ${owed.rate} %`
  return vat.treatment === 'reverse-charge' && !buyer?.address.length
    ? 'it is without VAT, and without the name or address of the business'
    : undefined
}

/** Whether each correction takes back what was left of one invoice, and puts an invoice of the same price in its place. None where nothing was corrected. */
export const checkCorrections = async (books: Books): Promise<Line[]> => {
  const line = createLine('invoice-corrections', 'what corrections took back', 'invoices in their place')
  let count = 0
  for await (const row of everyRow<CorrectionRow>(books, (after) => listCorrections(books, after))) {
    count++
    line.add('left', row.credit_snapshot.currency, row.credit_snapshot.totalMinor)
    line.add('right', row.snapshot.currency, row.snapshot.totalMinor)
    const fault = nameFault(row) ?? sumFault(row) ?? taxFault(row)
    if (fault) line.differ(`invoice ${invoiceNumber(row.year, row.number)}`, fault)
  }
  return count === 0 ? [] : [line.end()]
}
