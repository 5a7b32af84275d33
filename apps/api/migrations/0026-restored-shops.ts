import { type Kysely, sql } from 'kysely'

/** What a shop needs that was restored from a backup: money that came since, and numbers of invoices that were given since. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // What the gateway told, signed, of payments that are not here. No card beyond the mask, no words.
  await sql`
    create table unknown_payments (
      payment_id text primary key check (payment_id ~ '^[0-9a-f]{32}$'),
      method text check (method in ('card', 'open_banking', 'blik')),
      status text not null,
      amount_minor bigint,
      currency text check (currency ~ '^[A-Z]{3}$'),
      pan_masked text check (length(pan_masked) <= 40 and pan_masked !~ '[0-9]{11}'),
      gate_customer_id text check (length(gate_customer_id) <= 255),
      is_given_back boolean not null default false,
      first_told_at timestamptz not null default now(),
      last_told_at timestamptz not null default now()
    )`.execute(db)

  // Numbers that were given in the shop that was lost, or may have been: why they are missing here.
  await sql`
    create table invoice_gaps (
      year integer not null,
      first integer not null check (first > 0),
      last integer not null check (last >= first),
      created_at timestamptz not null default now(),
      primary key (year, first)
    )`.execute(db)

  // A payment that only goes back has an order of nothing: no days, no connections, nobody's.
  await sql`
    alter table orders
      drop constraint orders_check1,
      drop constraint orders_check2,
      add constraint buys_something_or_nothing check (
        case when connections = 0 then plan_id is null and days is null and customer_id is null
        else plan_id is not null or days is not null end),
      add constraint connections_within_limits check (
        connections = 0 or connections between case when plan_id is null then 3 else 1 end
          and case when plan_id is null then 13 else 100 end)`.execute(db)
  await sql`alter table payments add column is_unknown boolean not null default false`.execute(db)
}
