import { readAmount } from '@hedgerow/domain/money'
import { parse } from 'csv-parse/sync'
import {
  type BankFile,
  BankFileFault,
  type BankWord,
  keptReference,
  type Outcome,
  outcomeOf,
  referencesIn,
} from '#partnership/payout-files/bank-words.ts'

/** What a column means, and how banks call it. */
const TITLES = {
  reference: ['reference', 'end to end id', 'endtoendid', 'payment reference', 'description', 'details'],
  amount: ['amount', 'value', 'sum', 'payment amount'],
  currency: ['currency', 'ccy'],
  status: ['status', 'state', 'payment status'],
  bank_reference: ['bank reference', 'transaction id', 'transaction reference'],
} as const

type Field = keyof typeof TITLES
const FIELDS = Object.keys(TITLES) as Field[]

export type CsvOptions = {
  /** Which title stands for a field: 'amount=Betrag,reference=Zweck'. */
  columns?: string
  /** Of rows without a status: that they were paid. */
  areAllPaid?: boolean
}

const plainTitle = (title: string) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')

const readMap = (columns: string): Partial<Record<Field, string>> => {
  const map: Partial<Record<Field, string>> = {}
  for (const item of columns.split(',')) {
    const [field = '', ...title] = item.split('=')
    const known = FIELDS.find((one) => one === field.trim())
    if (!known || title.length === 0)
      throw new BankFileFault(
        `--columns is written like reference=Title,amount=Title; there are ${FIELDS.join(', ')}.`,
      )
    map[known] = plainTitle(title.join('='))
  }
  return map
}

/** That of which the first line has the most. */
const delimiterOf = (text: string): string => {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const [best = ','] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)
  return best
}

type Row = { record: string[]; info: { lines: number } }

const LONGEST_ROW = 100_000
/** Rows cost many times their bytes: millions of empty ones would take all memory there is. */
const MOST_ROWS = 300_000

const parseRows = (text: string): Row[] =>
  parse(text, {
    bom: true,
    delimiter: delimiterOf(text.replace(/^\uFEFF/, '')),
    info: true,
    skip_empty_lines: true,
    relax_quotes: false,
    max_record_size: LONGEST_ROW,
    to: MOST_ROWS + 1,
  }) as unknown as Row[]

const rowsOf = (text: string): Row[] => {
  try {
    const rows = parseRows(text)
    if (rows.length > MOST_ROWS) throw new Error(`it has more than ${MOST_ROWS} rows`)
    return rows
  } catch (error) {
    throw new BankFileFault(`The list cannot be read: ${(error as Error).message}. Nothing was done.`)
  }
}

const placesOf = (titles: string[], map: Partial<Record<Field, string>>) => {
  const known = titles.map(plainTitle)
  const places: Partial<Record<Field, number>> = {}
  for (const field of FIELDS) {
    const wanted: readonly string[] = map[field] === undefined ? TITLES[field] : [map[field]]
    const at = wanted.map((title) => known.indexOf(title)).find((place) => place !== -1)
    if (at !== undefined) places[field] = at
    else if (map[field] !== undefined || field === 'reference' || field === 'amount')
      throw new BankFileFault(
        `The list has no column ${map[field] ?? field}. It has ${titles.map((title) => title.trim().slice(0, 30)).join(', ')}. Name it: --columns ${field}=Title`,
      )
  }
  return places
}

const bad = (line: number, field: Field, text: string, what: string) =>
  new BankFileFault(`Line ${line}, ${field}: “${text.slice(0, 40)}” is ${what}. Nothing was done.`)

const IS_OUT = /^[-−]|-$/

const signedMinor = (text: string, line: number): number => {
  const trimmed = text.trim().replace(/^−/, '-')
  const isOut = IS_OUT.test(trimmed)
  const minor = readAmount(trimmed.replace(/^[+-]|-$/g, ''))
  if (minor === undefined) throw bad(line, 'amount', text, 'no amount')
  return isOut ? -minor : minor
}

type Judged = { areAllPaid: boolean; hasSigns: boolean }

const outcomeOfRow = (
  status: string | undefined,
  minor: number,
  line: number,
  { areAllPaid, hasSigns }: Judged,
): Outcome => {
  if (status === undefined) return areAllPaid || minor < 0 ? 'paid' : 'unclear'
  const outcome = outcomeOf(status)
  if (!outcome) throw bad(line, 'status', status, 'no status that is known')
  // It is completed, too, when it has come back.
  return outcome === 'paid' && hasSigns && minor > 0 ? 'unclear' : outcome
}

/**
 * A bank's list, with titles in its first line. Of rows that are about none of our transfers nothing is read but that. In a
 * list without statuses, what left the account (a negative amount) was paid. Where a paid one is negative, a positive
 * one is what came in, whatever its status. Throws a BankFileFault with line and column.
 */
export const readBankCsv = (text: string, { columns, areAllPaid = false }: CsvOptions): BankFile => {
  const [head, ...rows] = rowsOf(text)
  if (!head) throw new BankFileFault('The file is empty.')
  const places = placesOf(head.record, columns === undefined ? {} : readMap(columns))
  const hasSigns = rows.some(
    ({ record }) =>
      IS_OUT.test((record[places.amount ?? -1] ?? '').trim()) &&
      outcomeOf(record[places.status ?? -1] ?? '') === 'paid',
  )
  const words: BankWord[] = []
  let others = 0
  for (const { record, info } of rows) {
    const { lines: line } = info
    const cell = (field: Field) => {
      const place = places[field]
      return place === undefined ? undefined : (record[place] ?? '').trim()
    }
    const references = referencesIn(cell('reference') ?? '')
    const [reference] = references
    if (references.length > 1) throw bad(line, 'reference', references.join(' '), 'more than one reference')
    if (!reference) {
      others++
      continue
    }
    const minor = signedMinor(cell('amount') ?? '', line)
    const currency = cell('currency')?.toUpperCase()
    const bankReference = keptReference(cell('bank_reference') ?? '')
    words.push({
      at: `line ${line}`,
      about: { reference },
      outcome: outcomeOfRow(cell('status'), minor, line, { areAllPaid, hasSigns }),
      amountMinor: Math.abs(minor),
      ...(currency ? { currency } : {}),
      ...(bankReference ? { bankReference } : {}),
    })
  }
  return { words, others }
}
