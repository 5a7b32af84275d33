import { stringify } from 'csv-stringify/sync'

export type CsvRow = readonly string[]

const ENDS_OF_LINES = /[\p{Cc}\p{Zl}\p{Zp}]/gu
const oneLine = (text: string): string => text.replace(ENDS_OF_LINES, ' ').trim()

const NUMBER = /^-?\d+(?:\.\d+)?$/
/**
 * What a spreadsheet would calculate. Those of many countries cut lines at semicolons, whatever quotes are around a cell:
 * after each, a formula may begin, or a quote that swallows the rows below.
 */
const FORMULA =
  /^(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;|])(?=\s*(?:[=+\-@\uFF1D\uFF0B\uFF0D\uFF20"]|$))/g

const sheetCell = (text: string): string => {
  const line = oneLine(text)
  return NUMBER.test(line) ? line : line.replace(FORMULA, "'")
}

/** Spreadsheets take a file without the mark for one of their own country's. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The rows that follow those of `sheetText`, for a file that is made a part at a time. */
export const moreOfSheet = (rows: readonly CsvRow[]): string =>
  stringify(
    rows.map((row) => row.map(sheetCell)),
    // A cell with any of the separators that spreadsheets guess is quoted.
    { record_delimiter: 'windows', quoted_match: /[;|]/ },
  )

/** A file that people open in a spreadsheet: it calculates nothing, whatever customers have typed. */
export const sheetText = (rows: readonly CsvRow[]): string => BYTE_ORDER_MARK + moreOfSheet(rows)

/** A file that a program reads: RFC 4180 in UTF-8, each cell as it is, on one line. */
export const recordText = (rows: readonly CsvRow[]): string =>
  stringify(
    rows.map((row) => row.map(oneLine)),
    { record_delimiter: 'windows' },
  )
