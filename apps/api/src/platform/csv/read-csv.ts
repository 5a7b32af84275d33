import { type CsvError, parse } from 'csv-parse/sync'

/** What is wrong with a file, in the operator's words; each with its line, and its column where there is one. */
export class CsvFault extends Error {
  override name = 'CsvFault'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Rows cost many times their bytes: millions of empty ones would take all memory there is. */
const MOST_ROWS = 300_000
const LONGEST_ROW = 100_000
const MOST_COLUMNS = 500
/** Titles and blank rows may stand above the columns' names. */
export const HEAD_WITHIN = 20

const isWorkbook = (bytes: Buffer) => bytes.subarray(0, 2).toString('latin1') === 'PK'

/**
 * UTF-8; UTF-16 with its mark, as spreadsheets save "Unicode text"; or where it is neither Windows-1252, which banks' lists
 * still are. Throws a CsvFault.
 */
export const decodeText = (bytes: Buffer): string => {
  if (isWorkbook(bytes))
    throw new CsvFault(['This is a workbook, or an archive. Save the sheet as CSV (UTF-8), and import that.'])
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  if (!isUtf16 && bytes.includes(0)) throw new CsvFault(['The file is no text. Save it as CSV (UTF-8).'])
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const DELIMITERS = [',', ';', '\t'] as const

/** The one that stands most often, outside of quotes, in the first lines. */
const delimiterOf = (text: string): string => {
  const beginning = text
    .split('\n', HEAD_WITHIN)
    .join('\n')
    .replace(/"[^"]*"/g, '')
  const times = (sign: string) => beginning.split(sign).length
  return DELIMITERS.toSorted((one, other) => times(other) - times(one))[0] ?? ','
}

/** A row with the number of the line that it begins on. Its cells are trimmed. */
export type Row = { line: number; cells: readonly string[] }

/** Every row that is not blank, however many cells it has. Throws a CsvFault. */
export const readRows = (text: string): Row[] => {
  try {
    const records = parse(text, {
      ...{ delimiter: delimiterOf(text), bom: true, info: true, trim: true, to: MOST_ROWS + 1 },
      ...{ relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST_ROW },
    }) as unknown as { record: string[]; info: { lines: number } }[]
    if (records.length > MOST_ROWS)
      throw new CsvFault([`The file has more than ${MOST_ROWS} rows. Split it by days.`])
    // The parser tells where a row ends: a cell may hold the ends of lines.
    return records.map(({ record, info }) => ({
      line: info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0),
      cells: record.slice(0, MOST_COLUMNS),
    }))
  } catch (error) {
    if (error instanceof CsvFault) throw error
    const { message, lines } = error as CsvError & { lines?: number }
    throw new CsvFault([`${lines ? `Line ${lines}: ` : ''}the file is no CSV (${message.slice(0, 200)}).`])
  }
}
