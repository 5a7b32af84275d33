import { readReportAmount } from '@hedgerow/domain/report-values'
import {
  type BankFile,
  type BankWord,
  keptReference,
  type Outcome,
  outcomeOf,
  referencesIn,
} from '#partners/payout-files/bank-words.ts'
import { signIn, type Writing } from '#platform/csv/column-values.ts'
import { CsvFault, type Row, readRows } from '#platform/csv/read-csv.ts'
import { at, cellOf, endWith, readTable, type Table } from '#platform/csv/read-table.ts'

/** Titles that banks give each column. */
const SYNONYMS = {
  reference: ['reference', 'end_to_end_id', 'endtoendid', 'payment_reference', 'description', 'details'],
  amount: ['amount', 'value', 'sum', 'payment_amount'],
  currency: ['currency', 'ccy'],
  status: ['status', 'state', 'payment_status'],
  bank_reference: ['bank_reference', 'transaction_id', 'transaction_reference'],
} as const

type Field = keyof typeof SYNONYMS
const FIELDS = Object.keys(SYNONYMS) as Field[]

export type CsvOptions = Pick<Writing, 'decimal'> & {
  /** Which title stands for a field: 'amount=Betrag,reference=Zweck'. */
  columns?: string
  /** Of rows without a status: that they were paid. */
  areAllPaid?: boolean
}

/** Payouts are in euros and pounds. */
const DECIMALS = 2

const readMap = (columns: string): Map<Field, string> =>
  new Map(
    columns.split(',').map((item) => {
      const [field = '', ...title] = item.split('=')
      const known = FIELDS.find((one) => one === field.trim())
      if (!known || title.length === 0)
        throw new CsvFault([
          `Columns are written like reference=Title,amount=Title; there are ${FIELDS.join(', ')}.`,
        ])
      return [known, title.join('=')]
    }),
  )

/** `hasSigns`: what left the account is negative, so that what is positive came in. */
type Judged = { areAllPaid: boolean; hasSigns: boolean }

/**
 * In a list without statuses, what left the account (a negative amount) was paid. What came back is completed, too, and no
 * payment. Undefined for an unknown status.
 */
const outcomeOfRow = (
  status: string | undefined,
  minor: number,
  { areAllPaid, hasSigns }: Judged,
): Outcome | undefined => {
  if (status === undefined) return areAllPaid || minor < 0 ? 'paid' : 'unclear'
  const outcome = outcomeOf(status)
  return outcome === 'paid' && hasSigns && minor > 0 ? 'unclear' : outcome
}

const IS_OUT = /^[-−(]|-$/

const haveSigns = (table: Table<Field>): boolean =>
  table.rows.some(
    (row) => IS_OUT.test(cellOf(table, row, 'amount')) && outcomeOf(cellOf(table, row, 'status')) === 'paid',
  )

type Reader = Judged & { table: Table<Field>; decimal: ReturnType<typeof signIn> }

const readRow = ({ table, decimal, ...judged }: Reader, row: Row, faults: string[]): BankWord | undefined => {
  const cell = (field: Field) => (table.columns.has(field) ? cellOf(table, row, field) : undefined)
  const wrong = (field: Field, what: string, text = cell(field) ?? '') => {
    faults.push(at(table, row, field, `‘${text.slice(0, 40)}’ is ${what}`))
    return undefined
  }
  const [reference = '', ...others] = referencesIn(cell('reference') ?? '')
  if (others.length > 0)
    return wrong('reference', 'more than one reference', [reference, ...others].join(' '))
  const minor = readReportAmount(cell('amount') ?? '', decimal, DECIMALS)
  if (minor === undefined) return wrong('amount', 'no amount')
  const outcome = outcomeOfRow(cell('status'), minor, judged)
  if (!outcome) return wrong('status', 'no status that is known')
  const currency = cell('currency')?.toUpperCase()
  const bankReference = keptReference(cell('bank_reference') ?? '')
  return {
    ...{ at: `line ${row.line}`, about: { reference }, outcome, amountMinor: Math.abs(minor) },
    ...(currency ? { currency } : {}),
    ...(bankReference ? { bankReference } : {}),
  }
}

/**
 * A bank's list, with titles above its rows. Rows without one of our references are skipped. Throws a
 * CsvFault with all that is wrong, by line and column.
 */
export const readBankCsv = (text: string, { columns, decimal, areAllPaid = false }: CsvOptions): BankFile => {
  const table = readTable(readRows(text), {
    ...{ synonyms: SYNONYMS, required: ['reference', 'amount'] as const, canBeNamed: true },
    map: columns === undefined ? new Map() : readMap(columns),
  })
  const ours = table.rows.filter((row) => referencesIn(cellOf(table, row, 'reference')).length > 0)
  const reader = {
    ...{ table, areAllPaid, hasSigns: haveSigns(table) },
    decimal: signIn({ ...table, rows: ours }, ['amount'], { decimal }),
  }
  const faults: string[] = []
  const words = ours.flatMap((row) => readRow(reader, row, faults) ?? [])
  endWith(faults)
  return { words, others: table.rows.length - ours.length }
}
