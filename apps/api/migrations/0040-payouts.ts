import { type Kysely, sql } from 'kysely'

/** The files by which partners are paid, and which withdrawals were put in them under which reference. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table payout_batches (
      id text primary key check (id ~ '^B[2-9][A-Z0-9]{8}$'),
      currency text not null check (currency in ('EUR', 'GBP')),
      kind text not null check (kind in ('sepa', 'csv')),
      execution_day date not null,
      payer jsonb not null,
      columns text check (length(columns) <= 1000),
      created_at timestamptz not null,
      check ((kind = 'csv') = (columns is not null))
    )`.execute(db)
  await sql`create index payout_batches_by_time on payout_batches (created_at desc)`.execute(db)
  await sql`
    create table payouts (
      reference text primary key check (reference ~ '^P[2-9][A-Z0-9]{10}$'),
      batch_id text not null references payout_batches,
      withdrawal_id uuid not null references withdrawals,
      position integer not null check (position > 0),
      released_at timestamptz,
      released_because text check (length(released_because) <= 40),
      unique (batch_id, position),
      check ((released_at is null) = (released_because is null))
    )`.execute(db)
  // No withdrawal stands in two files at a time, whoever writes.
  await sql`create unique index payouts_under_way on payouts (withdrawal_id) where released_at is null`.execute(
    db,
  )
  await sql`create index payouts_of_withdrawal on payouts (withdrawal_id)`.execute(db)
}
