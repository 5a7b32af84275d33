import type { DataCall } from '#data-api/data-call.ts'
import { readFields, readInterval, readPage, readZone } from '#data-api/questions.ts'
import { reportLines } from '#settlement/operations.ts'
import { type PresentedOperation, presentOperation } from '#settlement/present-operation.ts'

/** Included only where they are asked for. */
const ON_DEMAND = ['country_by_bin', 'country_by_ip', 'eci']

const FIELDS: readonly (keyof PresentedOperation)[] = [
  ...(['operation_id', 'project_id', 'payment_id', 'operation_type', 'operation_status'] as const),
  ...(['account_number', 'payment_method_name', 'payment_method_type', 'payment_description'] as const),
  ...(['operation_created_at', 'operation_completed_at', 'provider_date', 'arn', 'rrn'] as const),
  ...(['sum_initial', 'sum_converted', 'fee', 'country_by_bin', 'country_by_ip', 'eci'] as const),
]

/** Operations that were completed from the beginning of the interval up to its end, the oldest first. */
const operationsBy =
  (known: readonly (keyof PresentedOperation)[]): DataCall['handle'] =>
  (question, { books, settings }) => {
    const tz = readZone(question)
    const { from, to } = readInterval(question)
    const { limit, offset } = readPage(question)
    const wanted = readFields(question, known) ?? known.filter((name) => !ON_DEMAND.includes(name))
    const lines = reportLines(books).filter(({ completedAt }) => completedAt >= from && completedAt < to)
    const operations = lines.slice(offset, offset + limit).map((line) => {
      const whole: Record<string, unknown> = presentOperation(line, settings.projectId, tz)
      return Object.fromEntries(wanted.map((name) => [name, whole[name]]))
    })
    // How the list and its length are called is not published.
    return { operations, total: lines.length }
  }

export const FINANCIAL_OPERATIONS: DataCall = {
  path: 'financial-reporting/operations',
  handle: operationsBy(FIELDS),
}

/** The same without the fees. */
export const OPERATIONS: DataCall = {
  path: 'operations/get',
  handle: operationsBy(FIELDS.filter((name) => name !== 'fee')),
}
