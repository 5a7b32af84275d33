import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** The worst first. */
export const STATES = ['problem', 'warning', 'ok'] as const

/** What was found last, problems first. */
export const listShopChecks = (db: Db) =>
  db
    .selectFrom('shop_checks')
    .select(['name', 'machine', 'state', 'says', 'act', 'since', 'looked_at'])
    .orderBy(sql`array_position(${sql.lit(`{${STATES.join(',')}}`)}::text[], state)`)
    .orderBy('name')
    .orderBy('machine')
    .execute()

/** Problems, and for how long the first has been one. */
export const measureProblems = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number; only: string | null }>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(since)), 0)::float8 as oldest_seconds,
      min(name) as only
    from shop_checks where state = 'problem'`.execute(db)
  return rows[0]
}
