import { CsvFault, HEAD_WITHIN, type Row } from '#platform/csv/read-csv.ts'

const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

type Columns<F extends string> = ReadonlyMap<F, { name: string; at: number }>

type Wanted<F extends string> = {
  /** The names that are known for a field, the likeliest first. */
  synonyms: Readonly<Record<F, readonly string[]>>
  required: readonly F[]
  /** What the operator says: the name of a column for a field. */
  map: ReadonlyMap<F, string>
  /** Whether the caller can say what a column is called. */
  canBeNamed?: boolean
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

const MOST_TOLD = 20

/** Ends reading where anything was wrong; of very many faults the first are listed. */
export const endWith = (faults: readonly string[]): void => {
  if (faults.length === 0) return
  const more = faults.length - MOST_TOLD
  throw new CsvFault([...faults.slice(0, MOST_TOLD), ...(more > 0 ? [`… and ${more} more.`] : [])])
}

/** A comma that no quotes are around moves all that follows it by a column: 1,250.00 would be 1. */
const isTooLong = ({ cells }: Row, head: Row) => cells.slice(head.cells.length).some((cell) => cell !== '')
const tooLong = ({ line }: Row) => `Line ${line}: it has more cells than there are columns.`

/** Finds the row with the columns' names, and what stands below it. Throws a CsvFault. */
export const readTable = <F extends string>(rows: readonly Row[], wanted: Wanted<F>) => {
  const head = rows
    .slice(0, HEAD_WITHIN)
    .find((row) => wanted.required.every((field) => columnsIn(row, wanted).has(field)))
  const first = head ?? rows[0]
  if (!first) throw new CsvFault(['The file is empty.'])
  const columns = columnsIn(first, wanted)
  const names = listOf(first.cells.filter((name) => name !== '').map((name) => name.slice(0, 60)))
  const lost = [...wanted.map].filter(([field]) => !columns.has(field))
  if (lost.length > 0)
    throw new CsvFault(
      lost.map(([, name]) => `Line ${first.line}: there is no column ‘${name}’, only ${names}.`),
    )
  const missing = wanted.required.filter((field) => !columns.has(field))
  if (missing.length > 0)
    throw new CsvFault(
      missing.map(
        (field) =>
          `Line ${first.line}: no column for ‘${field}’ among ${names}.${wanted.canBeNamed ? ` Say what it is called: ${field}=NAME.` : ''}`,
      ),
    )
  const below = rows.slice(rows.indexOf(first) + 1)
  endWith(below.filter((row) => isTooLong(row, first)).map(tooLong))
  return { columns, rows: below }
}

export type Table<F extends string> = ReturnType<typeof readTable<F>>

export const cellOf = <F extends string>({ columns }: Table<F>, { cells }: Row, field: F): string =>
  cells[columns.get(field)?.at ?? -1]?.trim() ?? ''

/** 'Line 7, column ‘Fee’: …' */
export const at = <F extends string>({ columns }: Table<F>, { line }: Row, field: F, what: string): string =>
  `Line ${line}, column ‘${columns.get(field)?.name ?? field}’: ${what}`
