import { type Kysely, sql } from 'kysely'

/**
 * A lost dispute that is reversed: the money comes back, the partner's share is credited again, and an invoice takes the place
 * of the one that the loss's credit note was on. `credit_number`: of what was left of that, where anything was.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table disputes add column reversed_at timestamptz`.execute(db)
  await sql`
    alter table disputes
      drop constraint disputes_status_check,
      add constraint disputes_status_check check (status in ('open', 'won', 'lost', 'reversed')) not valid,
      drop constraint disputes_check1,
      add constraint disputes_check1 check
        ((status in ('lost', 'reversed')) = (vat is not null and refund_id is not null)) not valid,
      add constraint disputes_reversed check ((status = 'reversed') = (reversed_at is not null)) not valid`.execute(
    db,
  )
  await sql`
    alter table ledger_transfers
      drop constraint ledger_transfers_check,
      add constraint ledger_transfers_check check ((kind, from_account, to_account) in (
        ('earned', 'shop', 'pending'),
        ('matured', 'pending', 'available'),
        ('reversed', 'pending', 'shop'),
        ('reversed', 'available', 'shop'),
        ('restored', 'shop', 'pending'),
        ('restored', 'shop', 'available'),
        ('requested', 'available', 'requested'),
        ('refused', 'requested', 'available'),
        ('paid', 'requested', 'paid'),
        ('given-up', 'pending', 'shop'),
        ('given-up', 'available', 'shop'))) not valid,
      drop constraint ledger_transfers_check1,
      add constraint ledger_transfers_check1 check
        ((kind in ('earned', 'matured', 'reversed', 'restored')) = (payment_id is not null)) not valid`.execute(
    db,
  )
  await sql`
    create table restored_invoices (
      id uuid primary key default gen_random_uuid(),
      refund_id uuid not null unique references refunds,
      order_id uuid not null,
      payment_id text not null references payments,
      of_year integer not null,
      of_number integer not null,
      noted_minor integer not null check (noted_minor >= 0),
      credit_snapshot jsonb,
      credit_number integer check (credit_number > 0),
      year integer not null,
      number integer not null check (number > 0),
      snapshot jsonb not null,
      issued_at timestamptz not null default now(),
      unique (of_year, of_number),
      unique (year, number),
      unique (year, credit_number),
      check ((credit_snapshot is null) = (credit_number is null))
    )`.execute(db)
  await sql`create index restored_invoices_of_order on restored_invoices (order_id)`.execute(db)
  await sql`create index restored_invoices_of_payment on restored_invoices (payment_id)`.execute(db)
  await sql`
    create trigger restored_invoices_stay before update on restored_invoices
    for each row execute function refuse_change_of_credit_note()`.execute(db)
  await sql`
    create or replace view issued_invoices as
    select order_id as id, order_id, year, number, issued_at, snapshot from invoices
    union all select id, order_id, year, number, issued_at, snapshot from invoice_corrections
    union all select id, order_id, year, number, issued_at, snapshot from restored_invoices`.execute(db)
  await sql`
    create or replace view issued_credit_notes as
    select refund_id as id, refund_id, payment_id, year, number, issued_at, snapshot from credit_notes
    union all select id, null, payment_id, year, credit_number, issued_at, credit_snapshot
    from invoice_corrections
    union all select id, null, payment_id, year, credit_number, issued_at, credit_snapshot
    from restored_invoices where credit_number is not null`.execute(db)
  await sql`
    create or replace view live_invoices as
    select order_id, year, number, issued_at, snapshot, noted_minor from (
      select order_id, year, number, issued_at, snapshot, 0 as noted_minor from invoices
      union all select order_id, year, number, issued_at, snapshot, noted_minor from invoice_corrections
      union all select order_id, year, number, issued_at, snapshot, noted_minor from restored_invoices) as made
    where not exists (
      select from invoice_corrections as later where later.of_year = made.year and later.of_number = made.number)
    and not exists (
      select from restored_invoices as later where later.of_year = made.year and later.of_number = made.number)`.execute(
    db,
  )
}
