import { type Kysely, sql } from 'kysely'

/** Purchases are cancelled, and what was ended by hand stays ended. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column cancelled_at timestamptz,
      add column cancelled_minor integer check (cancelled_minor >= 0),
      add constraint cancelled_with_a_sum check ((cancelled_at is null) = (cancelled_minor is null))`.execute(
    db,
  )
  await sql`
    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check
        check (reason in ('operator', 'paid-twice', 'account-erased', 'other-sum', 'at-the-gateway', 'cancelled'))`.execute(
    db,
  )
  await sql`alter table connections add column ended_by_hand timestamptz[] not null default '{}'`.execute(db)
  await sql`
    create table cancellation_statements (
      id uuid primary key,
      name text not null check (length(name) <= 100),
      email text not null check (length(email) <= 254),
      contract text not null check (length(contract) <= 200),
      message text not null check (length(message) <= 5000),
      received_at timestamptz not null default now(),
      is_acknowledged boolean not null,
      closed_at timestamptz
    )`.execute(db)
  await sql`
    create index open_cancellation_statements on cancellation_statements (received_at) where closed_at is null`.execute(
    db,
  )
}
