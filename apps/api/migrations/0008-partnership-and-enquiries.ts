import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Whose code the customer signed up with. An account is nobody's own partner.
  await sql`
    alter table customers
      add column referred_by uuid references customers on delete set null check (referred_by <> id)`.execute(
    db,
  )
  await sql`create index customers_by_partner on customers (referred_by) where referred_by is not null`.execute(
    db,
  )
  await sql`
    create index partner_transactions on payments (customer_id) where delivered_at is not null`.execute(db)
  await sql`
    create table partner_crossings (
      customer_id uuid primary key references customers on delete cascade,
      crossings integer not null default 0
    )`.execute(db)
  await sql`
    create table enquiries (
      id uuid primary key,
      kind text not null check (kind in ('application', 'support')),
      customer_id uuid not null references customers on delete cascade,
      name text not null check (length(name) between 1 and 100),
      text text not null check (length(text) between 1 and 5000),
      state text not null default 'new' check (state in ('new', 'answered')),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index enquiries_by_customer on enquiries (customer_id, created_at desc)`.execute(db)
}
