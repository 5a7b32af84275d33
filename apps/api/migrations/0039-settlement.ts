import { type Kysely, sql } from 'kysely'

/** What the gateway books on the company's balance: by its Data API, or by a file of it that was imported. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table settlement_runs (
      id uuid primary key,
      kind text not null check (kind in ('fetch', 'import')),
      period_from timestamptz not null,
      period_to timestamptz not null check (period_to >= period_from),
      file_name text,
      file_sha256 text unique check (file_sha256 ~ '^[0-9a-f]{64}$'),
      started_at timestamptz not null default now(),
      ended_at timestamptz,
      is_daily boolean not null default false,
      next_offset integer not null default 0,
      new_count integer not null default 0,
      changed_count integer not null default 0,
      same_count integer not null default 0,
      left_out_count integer not null default 0,
      check ((kind = 'import') = (file_sha256 is not null))
    )`.execute(db)
  await sql`create index settlement_runs_by_start on settlement_runs (started_at)`.execute(db)
  await sql`
    create table settlement_operations (
      id text primary key check (length(id) between 1 and 100),
      kind text not null check
        (kind in ('sale', 'refund', 'chargeback', 'representment', 'fee', 'payout', 'correction', 'exchange')),
      type text not null,
      status text not null check (status in ('success', 'decline', 'pending')),
      payment_id text,
      initial_minor bigint not null,
      initial_currency text not null check (initial_currency ~ '^[A-Z]{3}$'),
      booked_minor bigint not null,
      booked_currency text not null check (booked_currency ~ '^[A-Z]{3}$'),
      fee_minor bigint not null default 0,
      method text,
      pan_masked text check (pan_masked ~ '^[0-9]{6}[*]{1,12}[0-9]{4}$'),
      arn text,
      rrn text,
      completed_at timestamptz not null,
      run_id uuid not null references settlement_runs,
      standing text not null default 'unknown' check (standing in ('known', 'unknown', 'differs')),
      explanation text,
      explained_at timestamptz,
      first_told_at timestamptz not null default now(),
      changed_at timestamptz,
      check ((explanation is null) = (explained_at is null))
    )`.execute(db)
  await sql`create index settlement_operations_by_time on settlement_operations (completed_at)`.execute(db)
  await sql`
    create index settlement_operations_of_payment on settlement_operations (payment_id)
    where payment_id is not null`.execute(db)
  await sql`
    create index settlement_operations_open on settlement_operations (first_told_at)
    where standing <> 'known'`.execute(db)
  await sql`
    create table settlement_balances (
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      at timestamptz not null,
      minor bigint not null,
      told_at timestamptz not null default now(),
      primary key (currency, at)
    )`.execute(db)
}
