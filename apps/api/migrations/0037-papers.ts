import { type Kysely, sql } from 'kysely'

/** What a sale is taxed by, what a pound and a euro are worth in the books, and credit notes in a series of their own. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column vat_country text check (vat_country ~ '^[A-Z]{2}$'),
      add column vat_number text,
      add column vat_number_standing text check (vat_number_standing in ('valid', 'unchecked', 'unanswered')),
      add column vat_number_consultation text,
      add column network_country text check (network_country ~ '^[A-Z]{2}$'),
      add column bank_country text check (bank_country ~ '^[A-Z]{2}$')`.execute(db)
  await sql`
    create table accounting_rates (
      kind text not null check (kind in ('sterling', 'ecb')),
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      day date not null,
      rate_micro bigint not null check (rate_micro > 0),
      set_at timestamptz not null default now(),
      primary key (kind, currency, day)
    )`.execute(db)
  await sql`
    create table credit_notes (
      refund_id uuid primary key references refunds,
      payment_id text not null references payments,
      year integer not null,
      number integer not null check (number > 0),
      issued_at timestamptz not null default now(),
      snapshot jsonb not null,
      unique (year, number)
    )`.execute(db)
  await sql`create index credit_notes_of_payment on credit_notes (payment_id)`.execute(db)
  await sql`
    create function refuse_change_of_credit_note() returns trigger language plpgsql as $$
    begin
      raise exception 'a credit note that was issued is never changed';
    end $$`.execute(db)
  await sql`
    create trigger credit_notes_stay before update on credit_notes
    for each row execute function refuse_change_of_credit_note()`.execute(db)
  await sql`
    create table credit_note_counters (
      year integer primary key,
      last integer not null default 0
    )`.execute(db)
  await sql`
    create table credit_note_gaps (
      year integer not null,
      first integer not null check (first > 0),
      last integer not null check (last >= first),
      created_at timestamptz not null default now(),
      primary key (year, first)
    )`.execute(db)
  await sql`
    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check
        (reason in ('operator', 'paid-twice', 'account-erased', 'other-sum', 'at-the-gateway', 'cancelled', 'dispute'))`.execute(
    db,
  )
  // Whether what the refund means to the books is settled: it has its credit note, or wants none. And what had gone back of its
  // payment in refunds that were settled before it: its share of the invoice begins there.
  await sql`
    alter table refunds
      add column is_noted boolean not null default false,
      add column noted_before_minor integer check (noted_before_minor >= 0)`.execute(db)
  await sql`create index refunds_to_note on refunds (ended_at, id) where status = 'Success' and not is_noted`.execute(
    db,
  )
}
