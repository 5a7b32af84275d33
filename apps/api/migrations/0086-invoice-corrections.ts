import { type Kysely, sql } from 'kysely'

/**
 * An invoice that was wrong, put right: a credit note takes it back, and another invoice stands in its place, both numbered in
 * the series of all. One row is both, so that neither is ever without the other, and an invoice is corrected once.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table invoice_corrections (
      id uuid primary key,
      order_id uuid not null,
      payment_id text not null references payments,
      of_year integer not null,
      of_number integer not null,
      noted_minor integer not null check (noted_minor >= 0),
      credit_snapshot jsonb not null,
      credit_number integer not null check (credit_number > 0),
      year integer not null,
      number integer not null check (number > 0),
      snapshot jsonb not null,
      issued_at timestamptz not null default now(),
      unique (of_year, of_number),
      unique (year, number),
      unique (year, credit_number)
    )`.execute(db)
  await sql`create index invoice_corrections_of_order on invoice_corrections (order_id)`.execute(db)
  await sql`create index invoice_corrections_of_payment on invoice_corrections (payment_id)`.execute(db)
  await sql`
    create trigger invoice_corrections_stay before update on invoice_corrections
    for each row execute function refuse_change_of_credit_note()`.execute(db)
  await sql`
    create view issued_invoices as
    select order_id as id, order_id, year, number, issued_at, snapshot from invoices
    union all select id, order_id, year, number, issued_at, snapshot from invoice_corrections`.execute(db)
  await sql`
    create view issued_credit_notes as
    select refund_id as id, refund_id, payment_id, year, number, issued_at, snapshot from credit_notes
    union all select id, null, payment_id, year, credit_number, issued_at, credit_snapshot
    from invoice_corrections`.execute(db)
  await sql`
    create view live_invoices as
    select order_id, year, number, issued_at, snapshot, 0 as noted_minor from invoices
    where not exists (select from invoice_corrections where of_year = invoices.year and of_number = invoices.number)
    union all select order_id, year, number, issued_at, snapshot, noted_minor from invoice_corrections as made
    where not exists (
      select from invoice_corrections as later where later.of_year = made.year and later.of_number = made.number)`.execute(
    db,
  )
}
