import type { Withdrawal } from '@hedgerow/contract/partnership'
import { toMajor } from '@hedgerow/domain/money'
import type { WithdrawalRow } from '#platform/database/tables/partnership.table.ts'

/** Of the bank account only the last four characters leave. `document`: the number of what was issued about it. */
export const presentWithdrawal = (row: WithdrawalRow, document?: string): Withdrawal => ({
  _id: row.id,
  currency: row.currency,
  amount: toMajor(row.amount_minor),
  method: row.method,
  endsWith: row.ends_with,
  status: row.status,
  reason: row.reason,
  ...(row.reference === null ? {} : { reference: row.reference }),
  ...(document ? { document } : {}),
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})
