import { readEci } from '@hedgerow/domain/eci'
import { readReportTime } from '@hedgerow/domain/report-values'
import { type Sum, signedFor } from '@hedgerow/domain/settlement'
import * as z from 'zod/mini'
import { lenient, text } from '#money/gateway/gate/gate-fields.ts'
import { kindOfWord, statusOfWord } from '#money/gateway/operation-words.ts'
import {
  countryCode,
  isOperationId,
  kept,
  maskedPan,
  type ReadOperation,
  type ReportedOperation,
  reference,
  withoutCustomersPayout,
} from '#money/gateway/reported-operation.ts'

const currencyCode = z.string().check(z.regex(/^[A-Z]{3}$/))
const sum = z.object({ amount: z.coerce.number().check(z.int()), currency: currencyCode })

const DATA_OPERATION = z.object({
  operation_id: text,
  project_id: lenient(z.coerce.number()),
  payment_id: lenient(text),
  operation_type: z.string(),
  operation_status: z.string(),
  account_number: lenient(text),
  payment_method_type: lenient(text),
  operation_created_at: lenient(text),
  operation_completed_at: lenient(text),
  arn: lenient(text),
  rrn: lenient(text),
  sum_initial: sum,
  sum_converted: lenient(sum),
  fee: lenient(sum),
  country_by_bin: lenient(text),
  eci: lenient(text),
})

type Fields = z.infer<typeof DATA_OPERATION>

const timeOf = ({ operation_completed_at, operation_created_at }: Fields): Date | undefined =>
  readReportTime(operation_completed_at || operation_created_at || '', 'dmy')

/** Without one, or where nothing was converted, the balance changed by what was paid. */
const bookedOf = ({ sum_initial, sum_converted }: Fields) => sum_converted ?? sum_initial

const signed = (
  kind: ReportedOperation['kind'],
  { amount, currency }: { amount: number; currency: string },
): Sum => ({
  minor: signedFor(kind, amount),
  currency,
})

const readFields = (fields: Fields): ReadOperation => {
  const id = fields.operation_id
  const unreadable = (why: string): ReadOperation => ({ kind: 'unreadable', id, why })
  if (!isOperationId(id)) return unreadable('operation_id')
  // What is unknown is put where an operator sees it.
  const kind = kindOfWord(fields.operation_type) ?? 'correction'
  if (kind === 'none') return { kind: 'left-out' }
  const completedAt = timeOf(fields)
  if (!completedAt) return unreadable('operation_completed_at')
  const booked = bookedOf(fields)
  if (fields.fee && fields.fee.currency !== booked.currency && fields.fee.amount !== 0)
    return unreadable('fee in another currency than the balance')
  return {
    kind: 'operation',
    operation: withoutCustomersPayout({
      id,
      kind,
      type: kept(fields.operation_type) ?? kind,
      status: statusOfWord(fields.operation_status) ?? 'pending',
      paymentId: kept(fields.payment_id) ?? null,
      initial: signed(kind, fields.sum_initial),
      booked: signed(kind, booked),
      feeMinor: fields.fee?.amount,
      method: kept(fields.payment_method_type),
      panMasked: maskedPan(fields.account_number),
      arn: reference(fields.arn),
      rrn: reference(fields.rrn),
      completedAt,
      bankCountry: countryCode(fields.country_by_bin),
      eci: readEci(fields.eci),
    }),
  }
}

const idIn = (row: unknown): string | undefined => {
  const id = (row as { operation_id?: unknown } | null)?.operation_id
  return typeof id === 'string' || typeof id === 'number' ? kept(String(id)) : undefined
}

/** One row of the Data API's answer. Its sums are in minor units. */
export const readDataOperation = (row: unknown, projectId: number): ReadOperation => {
  const { data, error } = DATA_OPERATION.safeParse(row)
  if (!data)
    return { kind: 'unreadable', id: idIn(row), why: error.issues[0]?.path.join('.') || 'not an operation' }
  if (data.project_id !== undefined && data.project_id !== projectId) return { kind: 'left-out' }
  return readFields(data)
}

const ANSWER = z.union([
  z.object({ operations: z.array(z.unknown()) }),
  z.pipe(
    z.object({ data: z.array(z.unknown()) }),
    z.transform(({ data }) => ({ operations: data })),
  ),
])

/** The rows of an answer; undefined where it has none. */
export const rowsIn = (answer: unknown): unknown[] | undefined => ANSWER.safeParse(answer).data?.operations

const BALANCES = z.object({
  balances: z.array(
    z.object({
      currency: currencyCode,
      opening_amount: z.coerce.number().check(z.int()),
      closing_amount: z.coerce.number().check(z.int()),
    }),
  ),
})

/** What was on the balances at both ends of the interval; undefined where the gateway does not tell. */
export const balancesIn = (answer: unknown) => BALANCES.safeParse(answer).data?.balances
