import { readReportTime } from '@hedgerow/domain/report-values'
import { type OperationKind, signedFor } from '@hedgerow/domain/settlement'
import { kindOfWord, statusOfWord } from '#money/gateway/operation-words.ts'
import {
  countryCode,
  isOperationId,
  kept,
  maskedPan,
  type ReportedOperation,
  reference,
  withoutCustomersPayout,
} from '#money/gateway/reported-operation.ts'
import { orderIn, readAmountIn, readCurrency, signIn, type Writing } from '#platform/csv/column-values.ts'
import { CsvFault, decodeText, type Row, readRows } from '#platform/csv/read-csv.ts'
import { at, cellOf, endWith, readTable, type Table } from '#platform/csv/read-table.ts'

/** The fields of a report, and the names of columns that are known for them: those of our own export first, then the Data API's. */
const SYNONYMS = {
  id: [
    'operationid',
    'operation_id',
    'operation',
    'transaction_id',
    'transaction',
    'txn_id',
    'reference_id',
    'id',
  ],
  type: ['operation_type', 'transaction_type', 'type', 'kind', 'operation_name'],
  status: ['operation_status', 'transaction_status', 'status', 'state', 'result'],
  payment: [
    'paymentid',
    'payment_id',
    'merchant_payment_id',
    'payment',
    'merchant_order_id',
    'order_id',
    'merchant_reference',
  ],
  amount: [
    'charged',
    'sum_initial_amount',
    'initial_amount',
    'amount',
    'sum',
    'gross',
    'gross_amount',
    'sum_initial',
  ],
  currency: [
    'chargedcurrency',
    'sum_initial_currency',
    'initial_currency',
    'currency',
    'ccy',
    'amount_currency',
  ],
  booked: [
    'booked',
    'sum_converted_amount',
    'converted_amount',
    'settlement_amount',
    'balance_amount',
    'sum_converted',
  ],
  'booked-currency': [
    'bookedcurrency',
    'sum_converted_currency',
    'converted_currency',
    'settlement_currency',
    'balance_currency',
  ],
  fee: ['fee_amount', 'fee', 'fees', 'commission', 'total_fee'],
  'fee-currency': ['fee_currency', 'commission_currency'],
  time: [
    ...[
      'completedat',
      'operation_completed_at',
      'completed_at',
      'completed',
      'operation_date',
      'booking_date',
      'processed_at',
    ],
    ...['settled_at', 'date_time', 'datetime', 'date', 'operation_created_at', 'created_at', 'created'],
  ],
  project: ['project_id', 'project'],
  method: ['payment_method_type', 'payment_method', 'payment_method_name', 'method'],
  card: ['account_number', 'card_number', 'card', 'pan', 'masked_pan'],
  arn: ['arn', 'acquirer_reference_number'],
  rrn: ['rrn', 'retrieval_reference_number'],
  country: ['country_by_bin', 'card_country', 'issuer_country', 'bin_country'],
} as const

export type ReportField = keyof typeof SYNONYMS
export const REPORT_FIELDS = Object.keys(SYNONYMS) as ReportField[]

const REQUIRED: readonly ReportField[] = ['id', 'type', 'amount', 'currency', 'time']

export type FeeSign = 'costs' | 'changes'

export type ReportOptions = Writing & {
  map: ReadonlyMap<ReportField, string>
  /** What the gateway's words mean that are not known. */
  types: ReadonlyMap<string, OperationKind | 'none'>
  /** Amounts are whole minor units: 4517 is 45.17. */
  isMinor: boolean
  /** What a fee of 1.00 is: money taken ('costs'), or what the balance changed by ('changes', where costs are −1.00). */
  fees?: FeeSign | undefined
  projectId: number
}

export type Report = { operations: ReportedOperation[]; leftOut: number; rows: number }

type Reader = {
  table: Table<ReportField>
  options: ReportOptions
  sign: ReturnType<typeof signIn>
  order: ReturnType<typeof orderIn>
  feeSign: FeeSign
}

/** Where all fees have one sign, they are what was taken. */
const feeSignIn = (table: Table<ReportField>, { fees }: ReportOptions): FeeSign => {
  if (fees) return fees
  const cells = table.rows.map((row) => cellOf(table, row, 'fee')).filter((cell) => /[1-9]/.test(cell))
  const negative = cells.filter((cell) => /^[(−-]|-$/.test(cell)).length
  if (negative > 0 && negative < cells.length)
    throw new CsvFault([
      'Some fees are negative and others are not: say whether they are costs (1.00 was taken) or changes (−1.00 was taken).',
    ])
  return negative > 0 ? 'changes' : 'costs'
}

/** Reads the cells of a row, and gathers what is wrong with them. */
const readRow = (reader: Reader, row: Row, faults: string[]): ReportedOperation | undefined => {
  const { table, options, sign, order, feeSign } = reader
  const cell = (field: ReportField) => cellOf(table, row, field)
  const wrong = (field: ReportField, what: string) => {
    faults.push(at(table, row, field, what))
    return undefined
  }
  const shown = (field: ReportField) => `‘${cell(field).slice(0, 40)}’`
  const amount = (field: ReportField, currency: string | undefined) =>
    currency === undefined
      ? undefined
      : (readAmountIn(cell(field), currency, sign, options.isMinor) ??
        wrong(field, `${shown(field)} is no amount in ${currency}`))
  const currencyOf = (field: ReportField) =>
    readCurrency(cell(field)) ?? wrong(field, `${shown(field)} is no currency of three letters`)

  const kind = kindOfWord(cell('type'), options.types)
  if (kind === undefined)
    return wrong(
      'type',
      `what ${shown('type')} is, is not known. Say its kind: "${cell('type').slice(0, 40)}=KIND"`,
    )
  if (kind === 'none') return undefined
  const id = cell('id')
  if (!isOperationId(id)) wrong('id', `${shown('id')} is no id of an operation`)
  const status = cell('status') === '' ? 'success' : statusOfWord(cell('status'))
  if (!status) wrong('status', `what ${shown('status')} is, is not known`)
  const completedAt =
    readReportTime(cell('time'), order) ?? wrong('time', `${shown('time')} is no time like 2026-11-05 14:03`)
  const currency = currencyOf('currency')
  const minor = amount('amount', currency)
  const isConverted = table.columns.has('booked') && cell('booked') !== ''
  const bookedCurrency =
    isConverted && table.columns.has('booked-currency') ? currencyOf('booked-currency') : currency
  const booked = isConverted ? amount('booked', bookedCurrency) : undefined
  const hasFee = table.columns.has('fee')
  const feeMinor = hasFee && cell('fee') !== '' ? amount('fee', bookedCurrency) : 0
  if (feeMinor && cell('fee-currency') !== '' && cell('fee-currency').toUpperCase() !== bookedCurrency)
    wrong('fee-currency', `the fee is not in ${bookedCurrency}, which the balance is in`)
  if (!status || !completedAt || currency === undefined || minor === undefined || feeMinor === undefined)
    return undefined
  if (bookedCurrency === undefined || (isConverted && booked === undefined)) return undefined
  return withoutCustomersPayout({
    ...{ id, kind, status, completedAt },
    type: kept(cell('type')) ?? kind,
    paymentId: kept(cell('payment')) ?? null,
    initial: { minor: signedFor(kind, minor), currency },
    booked: booked === undefined ? undefined : { minor: signedFor(kind, booked), currency: bookedCurrency },
    // Never −0.
    feeMinor: hasFee ? (feeSign === 'costs' || feeMinor === 0 ? feeMinor : -feeMinor) : undefined,
    method: kept(cell('method')),
    panMasked: maskedPan(cell('card')),
    arn: reference(cell('arn')),
    rrn: reference(cell('rrn')),
    bankCountry: countryCode(cell('country')),
    eci: undefined,
  })
}

const isOthers = ({ table, options }: Reader, row: Row): boolean => {
  const project = cellOf(table, row, 'project')
  return project !== '' && project !== String(options.projectId)
}

/** The same operation twice, with different contents, would leave it to the order of rows which one counts. */
const findTwice = (
  read: readonly { row: Row; operation: ReportedOperation }[],
  table: Table<ReportField>,
): string[] => {
  const first = new Map<string, { row: Row; text: string }>()
  return read.flatMap(({ row, operation }) => {
    const text = JSON.stringify(operation)
    const known = first.get(operation.id)
    if (!known) first.set(operation.id, { row, text })
    return known && known.text !== text
      ? [at(table, row, 'id', `the operation of line ${known.row.line} again, with other contents`)]
      : []
  })
}

/**
 * The operations of a file, by its columns' names. Throws CsvFault with all that is wrong with it: nothing of such a file
 * is to be kept. `leftOut`: rows that move no money, or are another project's.
 */
export const readReport = (bytes: Buffer, options: ReportOptions): Report => {
  const table = readTable(readRows(decodeText(bytes)), {
    ...{ synonyms: SYNONYMS, required: REQUIRED, map: options.map, canBeNamed: true },
  })
  const reader: Reader = {
    ...{ table, options, feeSign: feeSignIn(table, options) },
    sign: signIn(table, ['amount', 'booked', 'fee'], options),
    order: orderIn(table, 'time', options),
  }
  const faults: string[] = []
  const read = table.rows.flatMap((row) => {
    if (isOthers(reader, row)) return []
    const operation = readRow(reader, row, faults)
    return operation ? [{ row, operation }] : []
  })
  endWith([...faults, ...findTwice(read, table)])
  const operations = read.map(({ operation }) => operation)
  return { operations, leftOut: table.rows.length - operations.length, rows: table.rows.length }
}
