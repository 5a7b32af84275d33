import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** By these, recurring jobs find what is due in tables of millions. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const isNotOss = sql`where (snapshot -> 'vat' ->> 'treatment') is distinct from 'oss'`
  await buildIndex(db, 'invoices_not_oss', sql`on invoices (year) ${isNotOss}`)
  await buildIndex(db, 'credit_notes_not_oss', sql`on credit_notes (year) ${isNotOss}`)
  await buildIndex(
    db,
    'payments_with_place',
    sql`on payments (coalesce(ended_at, created_at)) where vat_country is not null`,
  )
  await buildIndex(db, 'orders_unpaid', sql`on orders (expires_at) where status = 'New'`)
  await buildIndex(db, 'orders_of_nobody', sql`on orders (created_at) where customer_id is null`)
  await buildIndex(db, 'sessions_by_end', sql`on sessions (expires_at)`)
  await buildIndex(db, 'security_events_to_mail', sql`on security_events (last_at) where mail_to is not null`)
  await buildIndex(
    db,
    'connections_to_remind',
    sql`on connections (expires_at, coalesce(reminded_days, 100))`,
  )
  // Those of current and of replaced peers are two, and a question for both could use neither.
  await buildIndex(db, 'peers_of_connection', sql`on peers (connection_id)`)
}
