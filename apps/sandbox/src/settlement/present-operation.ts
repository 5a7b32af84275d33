import { stringify } from 'csv-stringify/sync'
import { saleOf } from '#payments/payment.ts'
import type { ReportLine } from '#settlement/operations.ts'

/** '2026-11-05 14:03:22' in a zone. */
const timeIn = (tz: string, ms: number): string => new Date(ms).toLocaleString('sv-SE', { timeZone: tz })

/** The first digits tell where a card is from; the sandbox's cards are from these countries. */
const COUNTRIES: Readonly<Record<string, string>> = { '4000': 'GB', '4314': 'DE', '4111': 'FR' }

const countryByBin = (line: ReportLine): string | null =>
  line.payment?.account ? (COUNTRIES[line.payment.account.number.slice(0, 4)] ?? 'GB') : null

/** The network's own numbers for it, which a bank finds the money by. */
const numberOf = (line: ReportLine, digits: number): string | null =>
  line.payment?.account && line.status === 'success'
    ? String(line.id).padStart(digits, '7').slice(-digits)
    : null

/**
 * A line as the Data API tells it. The names are those that are published for its operations; `fee` is not among them and
 * is shaped like the sums. Amounts are in minor units, as in callbacks.
 */
export const presentOperation = (line: ReportLine, projectId: number, tz: string) => ({
  operation_id: line.id,
  project_id: projectId,
  payment_id: line.paymentId ?? null,
  operation_type: line.type,
  operation_status: line.status,
  account_number: line.payment?.account?.number ?? null,
  payment_method_name: line.payment?.method ?? null,
  payment_method_type: line.payment?.method.toLowerCase().replaceAll(' ', '-') ?? null,
  payment_description: line.description,
  operation_created_at: timeIn(tz, line.createdAt),
  operation_completed_at: timeIn(tz, line.completedAt),
  provider_date: timeIn(tz, line.completedAt),
  arn: numberOf(line, 23),
  rrn: numberOf(line, 12),
  sum_initial: { amount: line.sum, currency: line.currency },
  sum_converted: { amount: line.sum, currency: line.currency },
  fee: { amount: line.fee, currency: line.currency },
  country_by_bin: countryByBin(line),
  country_by_ip: null,
  eci: (line.type === 'sale' && line.payment && saleOf(line.payment).eci) || null,
})

export type PresentedOperation = ReturnType<typeof presentOperation>

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

const major = (minor: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const sign = minor < 0 ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const flat = ({ sum_initial, sum_converted, fee, ...operation }: PresentedOperation) => ({
  ...operation,
  sum_initial_amount: major(sum_initial.amount, sum_initial.currency),
  sum_initial_currency: sum_initial.currency,
  sum_converted_amount: major(sum_converted.amount, sum_converted.currency),
  sum_converted_currency: sum_converted.currency,
  fee_amount: major(fee.amount, fee.currency),
  fee_currency: fee.currency,
})

const HEADS: readonly (keyof ReturnType<typeof flat>)[] = [
  ...(['operation_id', 'project_id', 'payment_id', 'operation_type', 'operation_status'] as const),
  ...(['account_number', 'payment_method_name', 'payment_method_type', 'payment_description'] as const),
  ...(['operation_created_at', 'operation_completed_at', 'provider_date', 'arn', 'rrn'] as const),
  ...(['sum_initial_amount', 'sum_initial_currency', 'sum_converted_amount'] as const),
  ...(['sum_converted_currency', 'fee_amount', 'fee_currency'] as const),
  ...(['country_by_bin', 'country_by_ip'] as const),
]

/** The same as a file, with a column for each field; sums in major units, as people read them. */
export const operationsCsv = (operations: readonly PresentedOperation[]): string =>
  stringify(operations.map(flat), { columns: HEADS, header: true, record_delimiter: 'windows' })
