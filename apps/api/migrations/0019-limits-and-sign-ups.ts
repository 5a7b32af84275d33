import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Unlogged: counted often, and of no worth after a crash. Room in each page keeps the counting within it.
  await sql`
    create unlogged table rate_counts (
      key bytea primary key,
      calls integer not null,
      ends_at timestamptz not null
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index rate_counts_by_end on rate_counts (ends_at)`.execute(db)
  await sql`alter table customers add column signup_secret_hash bytea`.execute(db)
  await sql`create index customers_unconfirmed on customers (created_at) where confirmed_at is null`.execute(
    db,
  )
  // Of several links to choose a password, the newest is the one that works.
  await sql`
    update account_links as older set expires_at = least(expires_at, now())
    where purpose = 'reset' and used_at is null and exists (
      select from account_links as newer
      where newer.customer_id = older.customer_id and newer.purpose = 'reset' and newer.created_at > older.created_at
    )`.execute(db)
}
