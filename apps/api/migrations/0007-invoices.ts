import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // The order is the only link to a person: it stays when an account goes, without its customer.
  await sql`
    create table invoices (
      order_id uuid primary key references orders,
      year integer not null,
      number integer not null check (number > 0),
      issued_at timestamptz not null default now(),
      snapshot jsonb not null,
      unique (year, number)
    )`.execute(db)
  // Whoever issues holds the row of the year, so that numbers have no gap and no twin.
  await sql`
    create table invoice_counters (
      year integer primary key,
      last integer not null default 0
    )`.execute(db)
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'an invoice that was issued is never changed';
    end $$`.execute(db)
  await sql`
    create trigger invoices_stay before update on invoices
    for each row execute function refuse_change()`.execute(db)
  await sql`alter table payments add column is_invoiced boolean not null default false`.execute(db)
  await sql`
    create index payments_to_invoice on payments (ended_at)
    where status = 'Success' and not refund_due and not is_invoiced`.execute(db)
}
