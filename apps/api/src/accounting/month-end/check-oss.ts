import { formatMinor } from '@hedgerow/domain/money'
import { quarterOf } from '@hedgerow/domain/periods'
import { readOssSums } from '#accounting/books/oss-return.ts'
import { createLine, type Line } from '#accounting/month-end/line.ts'
import { sumOss } from '#accounting/month-end/oss.queries.ts'
import type { Books } from '#accounting/month-end/pages.ts'

type Sum = { currency: string; netMinor: number; vatMinor: number }
type Sums = Map<string, Sum>

const keyOf = (country: string, rate: number, saleQuarter: string, currency: string): string =>
  `${country} ${rate} % of ${saleQuarter} in ${currency}`

const readDocuments = async (db: Books['db'], quarter: string): Promise<Sums> =>
  new Map(
    (await sumOss(db, quarter)).map(({ country, rate, sale_quarter, currency, ...sum }) => [
      keyOf(country, Number(rate), sale_quarter, currency),
      { currency, netMinor: Number(sum.net_minor), vatMinor: Number(sum.vat_minor) },
    ]),
  )

const readReturn = async (db: Books['db'], quarter: string): Promise<Sums> =>
  new Map(
    [...(await readOssSums({ db }, quarter)).values()].flatMap(({ country, rate, saleQuarter, sums }) =>
      Object.entries(sums).map(([currency, sum]): [string, Sum] => [
        keyOf(country, rate, saleQuarter, currency),
        { currency, ...sum },
      ]),
    ),
  )

const sumText = ({ netMinor, vatMinor }: Sum): string =>
  `net ${formatMinor(netMinor)}, VAT ${formatMinor(vatMinor)}`

/**
 * Whether the return of the One Stop Shop for the month's quarter is what the documents say, in the currencies that they were
 * written in: what is in pounds becomes euros later, at a rate that there is only after the quarter. None where nothing was
 * sold so.
 */
export const checkOss = async ({ db, month }: Books): Promise<Line[]> => {
  const quarter = quarterOf(month.firstDay)
  const line = createLine(
    'oss-return',
    `One Stop Shop sales of ${quarter}, less credit notes`,
    `what its return is made of, corrections included`,
  )
  const should = await readDocuments(db, quarter)
  const has = await readReturn(db, quarter)
  const keys = [...new Set([...should.keys(), ...has.keys()])].sort()
  if (keys.length === 0) return []
  for (const key of keys) {
    const currency = (should.get(key) ?? has.get(key))?.currency ?? ''
    const nothing: Sum = { currency, netMinor: 0, vatMinor: 0 }
    const [documents, row] = [should.get(key) ?? nothing, has.get(key) ?? nothing]
    line.add('left', currency, documents.netMinor + documents.vatMinor)
    line.add('right', currency, row.netMinor + row.vatMinor)
    if (documents.netMinor !== row.netMinor || documents.vatMinor !== row.vatMinor)
      line.differ(key, `the documents come to ${sumText(documents)}; the return has ${sumText(row)}`)
  }
  return [line.end()]
}
