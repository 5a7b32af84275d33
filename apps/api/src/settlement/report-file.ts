import { type CsvError, parse } from 'csv-parse/sync'

/** What is wrong with a file, in the operator's words; each with its line, and its column where there is one. */
export class ReportFault extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

export const MOST_BYTES = 20 * 1024 * 1024
/** Rows cost many times their bytes: twenty million empty ones would take all memory there is. */
const MOST_ROWS = 300_000
const LONGEST_ROW = 100_000
const MOST_COLUMNS = 500
/** Titles and blank rows may stand above the columns' names. */
const HEAD_WITHIN = 20

const isWorkbook = (bytes: Buffer) => bytes.subarray(0, 2).toString('latin1') === 'PK'

/** UTF-8, or UTF-16 with its mark, as spreadsheets save "Unicode text". */
export const decodeReport = (bytes: Buffer): string => {
  if (bytes.length > MOST_BYTES) throw new ReportFault(['The file is larger than 20 MB. Split it by days.'])
  if (isWorkbook(bytes))
    throw new ReportFault([
      'This is a workbook, or an archive. Save the sheet as CSV (UTF-8), and import that.',
    ])
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ReportFault(['The file is not in UTF-8. Save it as CSV (UTF-8).'])
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

/** A row with the number of the line that it begins on. */
export type Row = { line: number; cells: readonly string[] }

type Parsed = { record: string[]; info: { lines: number } }

const parseRows = (text: string): Parsed[] =>
  parse(text, {
    ...{ delimiter: delimiterOf(text), bom: true, info: true, trim: true, to: MOST_ROWS + 1 },
    ...{ relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST_ROW },
  }) as unknown as Parsed[]

export const readRows = (text: string): Row[] => {
  try {
    const records = parseRows(text)
    if (records.length > MOST_ROWS)
      throw new ReportFault([`The file has more than ${MOST_ROWS} rows. Split it by days.`])
    // The parser tells where a row ends: a cell may hold the ends of lines.
    return records.map(({ record, info }) => ({
      line: info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0),
      cells: record.slice(0, MOST_COLUMNS),
    }))
  } catch (error) {
    if (error instanceof ReportFault) throw error
    const { message, lines } = error as CsvError & { lines?: number }
    throw new ReportFault([`${lines ? `Line ${lines}: ` : ''}the file is no CSV (${message.slice(0, 200)}).`])
  }
}

export const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

export type Columns<F extends string> = ReadonlyMap<F, { name: string; at: number }>

type Wanted<F extends string> = {
  /** The names that are known for a field, the likeliest first. */
  synonyms: Readonly<Record<F, readonly string[]>>
  required: readonly F[]
  /** What the operator says: the name of a column for a field. */
  map: ReadonlyMap<F, string>
}

const columnsIn = <F extends string>({ cells }: Row, { synonyms, map }: Wanted<F>): Columns<F> => {
  const names = cells.map(plainName)
  const found = new Map<F, { name: string; at: number }>()
  for (const [field, words] of Object.entries(synonyms) as [F, readonly string[]][]) {
    const asked = map.get(field)
    const name = asked === undefined ? words.find((word) => names.includes(word)) : plainName(asked)
    const at = name === undefined ? -1 : names.indexOf(name)
    if (at >= 0) found.set(field, { name: cells[at] ?? '', at })
  }
  return found
}

const listOf = (words: readonly string[]) => words.map((word) => `‘${word}’`).join(', ')

/** Finds the row with the columns' names, and what stands below it. */
export const readTable = <F extends string>(rows: readonly Row[], wanted: Wanted<F>) => {
  const head = rows
    .slice(0, HEAD_WITHIN)
    .find((row) => wanted.required.every((field) => columnsIn(row, wanted).has(field)))
  const first = head ?? rows[0]
  if (!first) throw new ReportFault(['The file is empty.'])
  const columns = columnsIn(first, wanted)
  const names = listOf(first.cells.filter((name) => name !== '').map((name) => name.slice(0, 60)))
  const lost = [...wanted.map].filter(([field]) => !columns.has(field))
  if (lost.length > 0)
    throw new ReportFault(
      lost.map(([, name]) => `Line ${first.line}: there is no column ‘${name}’, only ${names}.`),
    )
  const missing = wanted.required.filter((field) => !columns.has(field))
  if (missing.length > 0)
    throw new ReportFault(
      missing.map(
        (field) =>
          `Line ${first.line}: no column for ‘${field}’ among ${names}. Name it with --map ${field}=NAME.`,
      ),
    )
  return { columns, rows: rows.slice(rows.indexOf(first) + 1) }
}

export type Table<F extends string> = ReturnType<typeof readTable<F>>

export const cellOf = <F extends string>({ columns }: Table<F>, { cells }: Row, field: F): string =>
  cells[columns.get(field)?.at ?? -1]?.trim() ?? ''

/** 'Line 7, column ‘Fee’: …' */
export const at = <F extends string>({ columns }: Table<F>, { line }: Row, field: F, what: string): string =>
  `Line ${line}, column ‘${columns.get(field)?.name ?? field}’: ${what}`

const MOST_TOLD = 20

/** Ends reading where anything was wrong; of very many faults the first are told. */
export const endWith = (faults: readonly string[]): void => {
  if (faults.length === 0) return
  const more = faults.length - MOST_TOLD
  throw new ReportFault([...faults.slice(0, MOST_TOLD), ...(more > 0 ? [`… and ${more} more.`] : [])])
}
