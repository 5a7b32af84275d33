import { type Kysely, sql } from 'kysely'

/** What each operator has given back, and acts that wait for a second operator. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table second_persons (
      id uuid primary key,
      operator_id uuid not null references operators (id),
      call text not null,
      command text not null,
      permission text not null,
      params jsonb not null,
      body jsonb not null,
      facts jsonb not null,
      asked_at timestamptz not null default now(),
      expires_at timestamptz not null,
      confirmed_by uuid references operators (id),
      confirmed_at timestamptz,
      ended_at timestamptz,
      outcome text check (outcome in ('done', 'withdrawn', 'changed', 'expired')),
      check ((confirmed_by is null) = (confirmed_at is null)),
      check ((ended_at is null) = (outcome is null))
    )`.execute(db)
  await sql`create unique index second_persons_open on second_persons (operator_id, call, facts) where ended_at is null`.execute(
    db,
  )
  await sql`alter table operators add column let_in_by uuid references operators (id), add column let_in_at timestamptz`.execute(
    db,
  )
  await sql`create table operator_sums (
      id uuid primary key,
      operator_id uuid not null references operators (id),
      at timestamptz not null default now(),
      subject text not null,
      amount_minor bigint not null check (amount_minor >= 0),
      refund_id uuid references refunds (id) on delete cascade,
      confirmed_by uuid references operators (id)
    )`.execute(db)
  await sql`create index operator_sums_of on operator_sums (operator_id, at)`.execute(db)
  await sql`create index operator_sums_refund on operator_sums (refund_id)`.execute(db)
}
