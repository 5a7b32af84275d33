import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** What operators search by: parts of names and addresses, and sums. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(db, 'payments_by_sum', sql`on payments (charged_minor, created_at)`)
  const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(db)
  if (rows.length === 0) return
  await buildIndex(db, 'customers_by_email_part', sql`on customers using gin (email gin_trgm_ops)`)
  await buildIndex(db, 'customers_by_name_part', sql`on customers using gin (name gin_trgm_ops)`)
  await buildIndex(
    db,
    'customers_by_full_name_part',
    sql`on customers using gin ((first_name || ' ' || last_name) gin_trgm_ops)`,
  )
}
