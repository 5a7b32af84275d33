import { type Kysely, sql } from 'kysely'

/** Whom a partner's documents are to, and a document for each withdrawal that was paid, in a series of its own. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table partner_billing (
      partner_id uuid primary key references customers on delete cascade,
      name text not null,
      address text not null,
      vat_number text,
      agreed_at timestamptz,
      check (vat_number is null or agreed_at is not null)
    )`.execute(db)
  await sql`
    create table commission_documents (
      withdrawal_id uuid primary key,
      year integer not null,
      number integer not null check (number > 0),
      issued_at timestamptz not null default now(),
      snapshot jsonb not null,
      unique (year, number)
    )`.execute(db)
  await sql`
    create function refuse_change_of_commission_document() returns trigger language plpgsql as $$
    begin
      raise exception 'a commission document that was issued is never changed';
    end $$`.execute(db)
  await sql`
    create trigger commission_documents_stay before update on commission_documents
    for each row execute function refuse_change_of_commission_document()`.execute(db)
  await sql`
    create table commission_counters (
      year integer primary key,
      last integer not null default 0
    )`.execute(db)
  await sql`
    create table commission_gaps (
      year integer not null,
      first integer not null check (first > 0),
      last integer not null check (last >= first),
      created_at timestamptz not null default now(),
      primary key (year, first)
    )`.execute(db)
}
