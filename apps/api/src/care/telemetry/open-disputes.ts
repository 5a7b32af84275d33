import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Disputes that want an answer: open, not answered, and their time is not over. With the day on which the first is due. */
export const countDisputesToAnswer = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number; first_due: Date | null }>`
    select count(*)::float8 as count,
      coalesce(extract(epoch from now() - min(opened_at)), 0)::float8 as oldest_seconds, min(respond_by) as first_due
    from disputes where status = 'open' and answered_at is null and respond_by > now()`.execute(db)
  return rows[0]
}

/** A gateway that is asked answers within minutes. */
const ASKED_WITHIN = sql`interval '15 minutes'`

/**
 * Hints of disputes that have been open for a while, and chargebacks of the gateway that could not be filed. A hint
 * that the gateway is asked about at once is not among them.
 */
export const countDisputeHints = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::float8 as count, coalesce(extract(epoch from now() - min(at)), 0)::float8 as oldest_seconds
    from (
      select last_told_at as at from dispute_hints
      where checked_at is null and last_told_at < now() - ${ASKED_WITHIN}
      union all select told_at from unfiled_chargebacks where checked_at is null
    ) as waiting`.execute(db)
  return rows[0]
}
