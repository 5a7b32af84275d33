import { commissionNumber } from '@hedgerow/domain/commissions'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { createLine, DOCUMENTS, type Line } from '#accounting/month-end/line.ts'
import type { Books } from '#accounting/month-end/pages.ts'
import {
  countSeries,
  findSeriesFaults,
  type Series,
  type SeriesFault,
} from '#accounting/month-end/series.queries.ts'

const NUMBERS = {
  invoices: invoiceNumber,
  credit_notes: creditNoteNumber,
  commissions: commissionNumber,
} as const

const SAYS: Readonly<Record<SeriesFault['kind'], string>> = {
  missing: 'no document has this number, and no gap is recorded',
  twice: 'the number was given twice: to a document and to a recorded gap, or to two gaps',
  'not-given': 'the number is higher than the last one that was given',
}

const LINES = {
  invoices: ['invoice-series', 'invoice numbers given', 'invoices, and recorded gaps'],
  credit_notes: ['credit-note-series', 'credit note numbers given', 'credit notes, and recorded gaps'],
  commissions: ['commission-series', 'commission document numbers given', 'documents, and recorded gaps'],
} as const

/** The whole year up to now: a number that is missing shows only between others. */
export const checkSeries = async ({ db, month, pageRows }: Books, series: Series): Promise<Line> => {
  const { year } = month
  const [id, left, right] = LINES[series]
  const line = createLine(id, `${left} in ${year}`, right)
  const { given, held, recorded } = await countSeries(db, series, year)
  line.add('left', DOCUMENTS, given)
  line.add('right', DOCUMENTS, held + recorded)
  const numbered = (number: number) => NUMBERS[series](year, number)
  for (const { first, last, kind } of await findSeriesFaults(db, series, year, pageRows))
    line.differ(first === last ? numbered(first) : `${numbered(first)} to ${numbered(last)}`, SAYS[kind])
  return line.end()
}
