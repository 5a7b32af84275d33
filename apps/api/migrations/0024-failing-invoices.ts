import { type Kysely, sql } from 'kysely'

/** Paid orders whose invoice could not be issued at the last try: the others do not wait for them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table failing_invoices (
      payment_id text primary key references payments on delete cascade,
      failed_at timestamptz not null default now(),
      tries integer not null default 1,
      next_try_at timestamptz not null
    )`.execute(db)
}
