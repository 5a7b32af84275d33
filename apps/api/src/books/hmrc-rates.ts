import { parseRate } from '@hedgerow/domain/exchange'
import { daysOfMonth, isDay, monthOf } from '@hedgerow/domain/periods'
import { CsvError, parse } from 'csv-parse/sync'
import type { NewRate } from '#invoices/set-accounting-rate.ts'

/** What is wrong with a file, by line and column. */
export class MalformedRates extends Error {
  override name = 'MalformedRates'
}

/** Its columns, by the beginning of their names: the pound's sign is not written alike in all of its files. */
const COLUMNS = {
  code: 'currency code',
  rate: 'currency units per',
  start: 'start date',
  end: 'end date',
} as const
type Column = keyof typeof COLUMNS

type Row = { record: string[]; info: { lines: number } }

const plainHead = (head: string): string => head.trim().toLowerCase().replace(/\s+/g, ' ')

const rowsOf = (bytes: Buffer): Row[] => {
  try {
    // With `info` each row comes with its line, which the types of the library leave out.
    return parse(bytes, { bom: true, info: true, skip_empty_lines: true, trim: true }) as unknown as Row[]
  } catch (error) {
    if (error instanceof CsvError) throw new MalformedRates(`it is not a CSV file: ${error.message}`)
    throw error
  }
}

const findColumns = (heads: readonly string[]): Record<Column, number> => {
  const at = (column: Column) => {
    const found = heads.findIndex((head) => plainHead(head).startsWith(COLUMNS[column]))
    if (found < 0) throw new MalformedRates(`it has no column that begins with "${COLUMNS[column]}"`)
    return found
  }
  return { code: at('code'), rate: at('rate'), start: at('start'), end: at('end') }
}

/** '01/11/2026', as HMRC writes it, and '2026-11-01'. */
const readDay = (text: string): string | undefined => {
  const day = text.includes('/') ? text.split('/').reverse().join('-') : text
  return isDay(day) ? day : undefined
}

const readRow = ({ record, info }: Row, columns: Record<Column, number>): NewRate => {
  const cell = (column: Column) => record[columns[column]] ?? ''
  const bad = (column: Column, why: string) =>
    new MalformedRates(
      `line ${info.lines}, column "${COLUMNS[column]}": ${JSON.stringify(cell(column))} ${why}`,
    )
  const [start, end] = [readDay(cell('start')), readDay(cell('end'))]
  if (!start) throw bad('start', 'is not a day like 01/11/2026')
  const { from, to } = daysOfMonth(monthOf(start))
  if (start !== from) throw bad('start', 'is not the first day of a month')
  if (end !== to) throw bad('end', 'is not the last day of that month')
  const rateMicro = parseRate(cell('rate'))
  if (rateMicro === undefined) throw bad('rate', 'is not a rate like 1.1534')
  return { currency: cell('code').toUpperCase(), day: start, rateMicro }
}

/**
 * The rates of some currencies in the file of monthly rates that HMRC publishes: a row for each country, with the first and
 * the last day. Throws MalformedRates, also where a currency is missing or has two rates.
 */
export const parseHmrcRates = (bytes: Buffer, currencies: readonly string[]): NewRate[] => {
  const [heads, ...rows] = rowsOf(bytes)
  const columns = findColumns(heads?.record ?? [])
  return currencies.flatMap((currency) => {
    const found = rows
      .filter(({ record }) => record[columns.code]?.toUpperCase() === currency)
      .map((row) => readRow(row, columns))
    if (found.length === 0) throw new MalformedRates(`it has no rate of ${currency}`)
    const months = Map.groupBy(found, ({ day }) => day)
    return [...months.values()].map(([rate, ...others]) => {
      if (others.some(({ rateMicro }) => rateMicro !== rate?.rateMicro))
        throw new MalformedRates(`it has two rates of ${currency} for one month`)
      return rate as NewRate
    })
  })
}
