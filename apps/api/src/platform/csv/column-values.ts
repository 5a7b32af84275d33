import { decimalsOf } from '@hedgerow/domain/exchange'
import {
  type DayOrder,
  type DecimalSign,
  dayOrderOf,
  decimalSignOf,
  readReportAmount,
} from '@hedgerow/domain/report-values'
import { CsvFault } from '#platform/csv/read-csv.ts'
import { cellOf, type Table } from '#platform/csv/read-table.ts'

/** How a file writes amounts and days, where it does not show that itself. */
export type Writing = { decimal?: DecimalSign | undefined; days?: DayOrder | undefined }

const cellsOf = <F extends string>(table: Table<F>, fields: readonly F[]): string[] =>
  fields.flatMap((field) => table.rows.map((row) => cellOf(table, row, field)))

/** One for the whole file. Throws CsvFault where it could be either. */
export const signIn = <F extends string>(
  table: Table<F>,
  fields: readonly F[],
  { decimal }: Writing,
): DecimalSign => {
  const sign = decimal ?? decimalSignOf(cellsOf(table, fields))
  if (sign === 'mixed')
    throw new CsvFault(['Some amounts have a decimal point and others a decimal comma: correct the file.'])
  if (sign === 'ambiguous')
    throw new CsvFault([
      'Amounts like 1,234 could be a thousand or one: say whether the decimal sign is a point or a comma.',
    ])
  return sign
}

/** Whether the day or the month comes first in 5/11/2026. Throws CsvFault where it could be either. */
export const orderIn = <F extends string>(table: Table<F>, field: F, { days }: Writing): DayOrder => {
  const order = days ?? dayOrderOf(cellsOf(table, [field]))
  if (order === 'mixed')
    throw new CsvFault(['Some days are written day first and others month first: correct the file.'])
  if (order === 'ambiguous')
    throw new CsvFault([
      'Days like 5/11/2026 could be in May or in November: say whether their order is dmy or mdy.',
    ])
  return order
}

export const readCurrency = (text: string): string | undefined => {
  const code = text.toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : undefined
}

/** In minor units; undefined for what is none, or is too exact for its currency. */
export const readAmountIn = (
  text: string,
  currency: string,
  sign: DecimalSign,
  isMinor = false,
): number | undefined => readReportAmount(text, sign, isMinor ? 0 : decimalsOf(currency))
