import { type Kysely, sql } from 'kysely'

/**
 * Disputes (chargebacks), what strangers hint of them, and what they do to a payment: the money that open ones hold, and
 * whether what was bought ends with it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column disputed_minor integer not null default 0 check (disputed_minor >= 0),
      add column ended_by_dispute_at timestamptz,
      add column is_kept_in_dispute boolean not null default false`.execute(db)
  await sql`
    create table disputes (
      id uuid primary key default gen_random_uuid(),
      payment_id text not null references payments,
      amount_minor integer not null check (amount_minor > 0),
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      reason text,
      reason_group text check (reason_group in ('fraud', 'authorisation', 'processing', 'consumer')),
      gate_id text unique,
      gate_status text,
      status text not null default 'open' check (status in ('open', 'won', 'lost')),
      phase integer not null default 1 check (phase > 0),
      opened_at timestamptz not null default now(),
      respond_by timestamptz not null,
      answered_at timestamptz,
      ended_at timestamptz,
      connections_ended boolean not null default false,
      vat text check (vat in ('credit-note', 'bad-debt')),
      refund_id uuid references refunds,
      check ((status = 'open') = (ended_at is null)),
      check ((status = 'lost') = (vat is not null and refund_id is not null))
    )`.execute(db)
  await sql`create index disputes_of_payment on disputes (payment_id)`.execute(db)
  await sql`create index open_disputes on disputes (respond_by) where status = 'open'`.execute(db)
  // Null: the notice named no payment.
  await sql`
    create table dispute_hints (
      payment_id text references payments,
      first_told_at timestamptz not null default now(),
      last_told_at timestamptz not null default now(),
      checked_at timestamptz,
      unique nulls not distinct (payment_id)
    )`.execute(db)
  await sql`
    create table unfiled_chargebacks (
      gate_id text primary key,
      payment_id text,
      why text not null,
      told_at timestamptz not null default now(),
      checked_at timestamptz
    )`.execute(db)
  await sql`
    create table dispute_watch (
      is_only boolean primary key default true check (is_only),
      asked_at timestamptz,
      fetched_at timestamptz,
      fetched_to timestamptz
    )`.execute(db)
  await sql`insert into dispute_watch default values`.execute(db)
  // The day on which a connection was first connected; it stays when its keys are replaced. No time of day is kept.
  await sql`alter table peers add column first_connected_on date`.execute(db)
  await sql`update peers set first_connected_on = connected_on where connected_on is not null`.execute(db)
}
