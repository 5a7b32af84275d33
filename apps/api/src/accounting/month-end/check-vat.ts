import { formatMinor } from '@hedgerow/domain/money'
import { inPounds, taxOf } from '#accounting/books/in-pounds.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { readVatReturn, type VatReturn } from '#accounting/books/vat-return.ts'
import { createLine, type Line } from '#accounting/month-end/line.ts'
import type { Books } from '#accounting/month-end/pages.ts'
import { sumVat } from '#accounting/month-end/vat.queries.ts'
import { type BookedDocument, readDocuments } from '#sales/invoices/documents.ts'
import { readSterlingRates } from '#sales/invoices/sterling.ts'

type Sum = { netMinor: number; vatMinor: number }
type Sums = Map<string, Sum>

const keyOf = (treatment: string, country: string | null, rate: number): string =>
  `${treatment} ${treatment === 'uk' ? 'GB' : (country ?? '')} ${rate} %`

const addTo = (sums: Sums, key: string, { netMinor, vatMinor }: Sum, sign = 1): void => {
  const known = sums.get(key) ?? { netMinor: 0, vatMinor: 0 }
  sums.set(key, {
    netMinor: known.netMinor + sign * netMinor,
    vatMinor: known.vatMinor + sign * vatMinor,
  })
}

const tellsNoPounds = ({ snapshot }: BookedDocument) => snapshot.currency !== 'GBP' && !snapshot.sterling

/** As the documents say themselves; the few that tell no pounds at the rate of their month. */
const sumDocuments = async (books: Books): Promise<Sums> => {
  const { db, month } = books
  const sums: Sums = new Map()
  for (const { treatment, country, rate, net_minor, vat_minor } of await sumVat(books))
    addTo(sums, keyOf(treatment, country, Number(rate)), {
      netMinor: Number(net_minor),
      vatMinor: Number(vat_minor),
    })
  const rates = await readSterlingRates(db)
  for await (const batch of readDocuments(db, { from: month.firstDay, to: month.lastDay }))
    for (const document of batch.filter(tellsNoPounds)) {
      const pounds = inPounds(document, rates)
      const { treatment, country, rate } = taxOf(document)
      if ('sums' in pounds)
        addTo(sums, keyOf(treatment, country, rate), pounds.sums, document.kind === 'invoice' ? 1 : -1)
    }
  return sums
}

/** What a return of this month alone would be; undefined while a rate is missing, which has a line of its own. */
const readReturn = async ({ db, month }: Books): Promise<VatReturn | undefined> => {
  try {
    return await readVatReturn({ db }, { from: month.firstDay, to: month.lastDay })
  } catch (error) {
    if (error instanceof MissingRate) return undefined
    throw error
  }
}

const sumText = ({ netMinor, vatMinor }: Sum): string =>
  `net ${formatMinor(netMinor)}, VAT ${formatMinor(vatMinor)}`

const NOTHING: Sum = { netMinor: 0, vatMinor: 0 }

/** Whether the VAT return is what the documents say, for each tax, country and rate, and its box 1 the VAT of the UK. */
export const checkVat = async (books: Books): Promise<Line[]> => {
  const line = createLine('vat-return', 'invoices less credit notes, in sterling', 'rows of the VAT return')
  const box = createLine('vat-box-1', 'VAT of the United Kingdom on them', 'box 1 of the VAT return')
  const should = await sumDocuments(books)
  const vat = await readReturn(books)
  if (!vat) {
    line.differ(`month ${books.month.name}`, 'there is no VAT return while a sterling rate is missing')
    return [line.end(), box.end()]
  }
  const has: Sums = new Map()
  for (const row of vat.rows) addTo(has, keyOf(row.treatment, row.country, row.rate), row)
  for (const key of new Set([...should.keys(), ...has.keys()])) {
    const [documents, row] = [should.get(key) ?? NOTHING, has.get(key) ?? NOTHING]
    line.add('left', 'GBP', documents.netMinor + documents.vatMinor)
    line.add('right', 'GBP', row.netMinor + row.vatMinor)
    if (key.startsWith('uk ')) box.add('left', 'GBP', documents.vatMinor)
    if (documents.netMinor !== row.netMinor || documents.vatMinor !== row.vatMinor)
      line.differ(key, `the documents come to ${sumText(documents)}; the return has ${sumText(row)}`)
  }
  box.add('right', 'GBP', vat.boxes.vatDueSales)
  return [line.end(), box.end()]
}
