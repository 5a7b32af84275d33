import { parseRate } from '@hedgerow/domain/exchange'
import { daysOfMonth, isDay, monthOf } from '@hedgerow/domain/periods'
import { CsvFault, decodeText, type Row, readRows } from '#platform/csv/read-csv.ts'
import { at, cellOf, endWith, readTable, type Table } from '#platform/csv/read-table.ts'
import type { NewRate } from '#sales/invoices/set-accounting-rate.ts'

/** The pound's sign, which is no letter, is not written alike in all of its files. */
const COLUMNS = {
  code: ['currency_code'],
  rate: ['currency_units_per_1', 'currency_units_per_â_1', 'currency_units_per_gbp', 'currency_units_per'],
  start: ['start_date'],
  end: ['end_date'],
} as const
type Column = keyof typeof COLUMNS

/** '01/11/2026', as HMRC writes it, and '2026-11-01'. */
const readDay = (text: string): string | undefined => {
  const day = text.includes('/') ? text.split('/').reverse().join('-') : text
  return isDay(day) ? day : undefined
}

const readRow = (table: Table<Column>, row: Row, faults: string[]): NewRate | undefined => {
  const cell = (column: Column) => cellOf(table, row, column)
  const wrong = (column: Column, what: string) => {
    faults.push(at(table, row, column, `‘${cell(column).slice(0, 40)}’ is ${what}`))
    return undefined
  }
  const [start, end] = [readDay(cell('start')), readDay(cell('end'))]
  if (!start) return wrong('start', 'no day like 01/11/2026')
  const { from, to } = daysOfMonth(monthOf(start))
  if (start !== from) return wrong('start', 'not the first day of a month')
  if (end !== to) return wrong('end', 'not the last day of that month')
  const rateMicro = parseRate(cell('rate'))
  if (rateMicro === undefined) return wrong('rate', 'no rate like 1.1534')
  return { currency: cell('code').toUpperCase(), day: start, rateMicro }
}

/**
 * The rates of some currencies in the file of monthly rates that HMRC publishes: a row for each country, with the first and
 * the last day. Throws a CsvFault, also where a currency is missing, unless it is one `ifThere`, or has two rates.
 */
export const parseHmrcRates = (
  bytes: Buffer,
  currencies: readonly string[],
  ifThere: readonly string[] = [],
): NewRate[] => {
  const table = readTable(readRows(decodeText(bytes)), {
    ...{ synonyms: COLUMNS, required: Object.keys(COLUMNS) as Column[], map: new Map() },
  })
  return [...currencies, ...ifThere].flatMap((currency) => {
    const faults: string[] = []
    const found = table.rows
      .filter((row) => cellOf(table, row, 'code').toUpperCase() === currency)
      .flatMap((row) => readRow(table, row, faults) ?? [])
    endWith(faults)
    if (found.length === 0 && currencies.includes(currency))
      throw new CsvFault([`The file has no rate of ${currency}.`])
    const months = Map.groupBy(found, ({ day }) => day)
    return [...months.values()].map(([rate, ...others]) => {
      if (others.some(({ rateMicro }) => rateMicro !== rate?.rateMicro))
        throw new CsvFault([`The file has two rates of ${currency} for one month.`])
      return rate as NewRate
    })
  })
}
