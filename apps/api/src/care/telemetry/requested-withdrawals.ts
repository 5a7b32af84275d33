import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Withdrawals that are neither paid nor refused yet. */
export const countRequestedWithdrawals = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::float8 as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
    from withdrawals where status = 'requested'`.execute(db)
  return rows[0]
}
