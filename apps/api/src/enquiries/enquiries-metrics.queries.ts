import { sql } from 'kysely'
import type { Db } from '#database/client.ts'

/** What customers wrote and nobody has dealt with. */
export const countNewEnquiries = async (db: Db) => {
  const { rows } = await sql<{ kind: 'application' | 'support'; count: number; oldest_seconds: number }>`
    select kind, count(*)::float8 as count, extract(epoch from now() - min(created_at))::float8 as oldest_seconds
    from enquiries where state = 'new' group by kind`.execute(db)
  return rows
}
