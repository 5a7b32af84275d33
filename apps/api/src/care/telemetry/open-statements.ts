import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Open cancellations of customers who could not log in. */
export const countOpenStatements = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number; oldest_at: Date | null }>`
    select count(*)::float8 as count,
      coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as oldest_seconds,
      min(received_at) as oldest_at
    from cancellation_statements where closed_at is null`.execute(db)
  return rows[0]
}
