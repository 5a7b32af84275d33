import type { BankCredit } from '@hedgerow/domain/bank-payouts'
import { DAY_MS } from '@hedgerow/domain/dates'
import { readReportTime } from '@hedgerow/domain/report-values'
import { orderIn, readAmountIn, readCurrency, signIn, type Writing } from '#platform/csv/column-values.ts'
import { CsvFault, decodeText, readRows } from '#platform/csv/read-csv.ts'
import { at, cellOf, endWith, readTable } from '#platform/csv/read-table.ts'

const SYNONYMS = {
  date: [
    'date',
    'booking_date',
    'transaction_date',
    'posting_date',
    'value_date',
    'completed_date',
    'started_date',
  ],
  amount: ['amount', 'paid_in', 'money_in', 'credit', 'credit_amount', 'value', 'in', 'amount_in'],
  description: [
    'description',
    'details',
    'reference',
    'narrative',
    'transaction_description',
    'payee',
    'memo',
  ],
  currency: ['currency', 'ccy', 'account_currency', 'payment_currency'],
} as const

export type BankField = keyof typeof SYNONYMS
export const BANK_FIELDS = Object.keys(SYNONYMS) as BankField[]

export type BankOptions = Writing & {
  map: ReadonlyMap<BankField, string>
  /** Of a statement without a column for it. */
  currency: string | undefined
}

/** What came in, by a bank's statement in CSV. Throws CsvFault with all that is wrong with it. */
export const readBankStatement = (bytes: Buffer, options: BankOptions): BankCredit[] => {
  const table = readTable(readRows(decodeText(bytes)), {
    ...{ synonyms: SYNONYMS, required: ['date', 'amount'] as const },
    map: options.map,
    canBeNamed: true,
  })
  if (!table.columns.has('currency') && options.currency === undefined)
    throw new CsvFault(['The statement has no column for the currency: say the bank’s currency, like EUR.'])
  const sign = signIn(table, ['amount'], options)
  const order = orderIn(table, 'date', options)
  const faults: string[] = []
  const credits = table.rows.flatMap((row): BankCredit[] => {
    const cell = (field: BankField) => cellOf(table, row, field)
    const wrong = (field: BankField, what: string) => {
      faults.push(at(table, row, field, `‘${cell(field).slice(0, 40)}’ is ${what}`))
      return []
    }
    // With a column for what came in and one for what went out, a row has one of them.
    if (cell('amount') === '') return []
    const currency = table.columns.has('currency') ? readCurrency(cell('currency')) : options.currency
    if (currency === undefined) return wrong('currency', 'no currency of three letters')
    const minor = readAmountIn(cell('amount'), currency, sign)
    if (minor === undefined) return wrong('amount', `no amount in ${currency}`)
    const time = readReportTime(cell('date'), order)
    if (!time) return wrong('date', 'no day like 2026-11-05')
    const day = new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)
    return minor > 0 ? [{ line: row.line, minor, currency, day, description: cell('description') }] : []
  })
  endWith(faults)
  return credits
}
