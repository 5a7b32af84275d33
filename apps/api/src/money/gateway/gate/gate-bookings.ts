import type { BookingSource, Period } from '#money/gateway/booking-source.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { createDataCall } from '#money/gateway/gate/data-call.ts'
import { balancesIn, readDataOperation, rowsIn } from '#money/gateway/gate/read-data-operation.ts'
import type { DataApi } from '#platform/settings.ts'

const PAGE = 1_000

/** Beyond those that come unasked. */
const FIELDS = [
  ...['operation_id', 'project_id', 'payment_id', 'operation_type', 'operation_status', 'account_number'],
  ...['payment_method_type', 'operation_created_at', 'operation_completed_at', 'arn', 'rrn'],
  ...['sum_initial', 'sum_converted', 'fee', 'country_by_bin', 'eci'],
]

const inUtc = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

const intervalOf = ({ from, to }: Period) => ({ interval: { from: inUtc(from), to: inUtc(to) }, tz: 'UTC' })

/** The Data API: operations by the time at which they were completed, with the balances at both ends. */
export const gateBookings = (api: DataApi, projectId: number): BookingSource => {
  const ask = createDataCall(api)
  let before = ''
  return {
    gateway: 'gate',
    page: async (period, after = '0') => {
      const offset = Number(after)
      const question = { ...intervalOf(period), limit: PAGE, offset, fields: FIELDS }
      const rows = rowsIn(await ask('financial-reporting/operations', question))
      if (!rows) throw new DataFault('The gateway’s Data API answered without a list of operations.')
      if (rows.length > PAGE) throw new DataFault('The gateway’s Data API answered with more than a page.')
      const now = JSON.stringify(rows)
      if (offset > 0 && rows.length > 0 && now === before)
        throw new DataFault('The gateway’s Data API answers with the same page again and again.')
      before = now
      // A page may be shorter than was asked for: the last is the one without rows.
      return {
        rows: rows.map((row) => readDataOperation(row, projectId)),
        next: rows.length > 0 ? String(offset + rows.length) : undefined,
      }
    },
    /** Not every gateway tells them, and nothing hangs on it. */
    balances: async (period) => {
      const balances = balancesIn(await ask('balance/get', intervalOf(period)))
      return balances?.flatMap(({ currency, opening_amount, closing_amount }) => [
        { currency, at: period.from, minor: opening_amount },
        { currency, at: period.to, minor: closing_amount },
      ])
    },
  }
}
