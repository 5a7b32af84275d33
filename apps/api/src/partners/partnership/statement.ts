import type { StatementEntry } from '@hedgerow/contract/partnership'
import { toMajor } from '@hedgerow/domain/money'
import { type ListedTransfer, listTransfers } from '#partners/partnership/statement.queries.ts'
import type { With } from '#platform/dependencies.ts'

export { type ListedTransfer, listTransfers } from '#partners/partnership/statement.queries.ts'

const AT_ONCE = 100

const earningOf = (row: ListedTransfer): StatementEntry['earning'] => {
  const { source, level, percentage, available_at } = row
  if (!source || !level || !percentage || !available_at) return undefined
  const availableAt = available_at.toISOString()
  return { source, level, percentage, availableAt, ...(row.is_own_card ? { isOwnCard: true } : {}) }
}

/** The payment is its customer's affair: its id opens their result page. */
export const presentEntry = (row: ListedTransfer): StatementEntry => {
  const earning = earningOf(row)
  return {
    _id: row.id,
    at: row.created_at.toISOString(),
    kind: row.kind,
    from: row.from_account,
    to: row.to_account,
    currency: row.currency,
    amount: toMajor(row.amount_minor),
    ...(earning ? { earning } : {}),
    ...(row.withdrawal_id ? { withdrawalId: row.withdrawal_id } : {}),
  }
}

/** A page of a partner's movements, from the one before `before` on. */
export const getStatement = async (
  { db }: With<'db'>,
  partnerId: string,
  before?: string,
): Promise<{ entries: StatementEntry[]; hasMore: boolean }> => {
  const rows = await listTransfers(db, partnerId, { before, limit: AT_ONCE + 1 })
  return { entries: rows.slice(0, AT_ONCE).map(presentEntry), hasMore: rows.length > AT_ONCE }
}
