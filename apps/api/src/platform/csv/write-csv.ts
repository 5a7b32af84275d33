import { stringify } from 'csv-stringify/sync'

/** A number, a code or a day of ours as it is; text of customers through plainText. */
export type CsvRow = readonly string[]

/** What a spreadsheet would take for a formula. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** Text that anyone may have typed: one line, and one that no spreadsheet calculates. */
export const plainText = (text: string): string => {
  const line = text.replace(/\p{Cc}/gu, ' ').trim()
  return FORMULA.test(line) ? `'${line}` : line
}

/** Lines as RFC 4180 has them, in UTF-8. */
export const csvText = (rows: readonly CsvRow[]): string =>
  stringify(rows as string[][], { record_delimiter: 'windows' })
