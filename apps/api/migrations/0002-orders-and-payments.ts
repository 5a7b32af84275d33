import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table orders (
      id uuid primary key,
      customer_id uuid not null references customers,
      days integer not null check (days between 1 and 365),
      connections integer not null check (connections between 3 and 13),
      priority_bandwidth boolean not null,
      ad_filter boolean not null,
      malware_filter boolean not null,
      family_filter boolean not null,
      total_minor integer not null check (total_minor > 0),
      currency text not null check (currency in ('EUR', 'GBP')),
      status text not null default 'New' check (status in ('New', 'Completed', 'Rejected')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      expires_at timestamptz not null
    ) with (fillfactor = 90)`.execute(db)
  await sql`create index orders_by_customer on orders (customer_id, created_at desc)`.execute(db)
  await sql`
    create table payments (
      id text primary key check (id ~ '^[0-9a-f]{32}$'),
      order_id uuid not null references orders,
      customer_id uuid not null references customers,
      method text not null check (method in ('card')),
      amount_minor integer not null check (amount_minor > 0),
      currency text not null check (currency in ('EUR', 'GBP')),
      status text not null default 'Pending' check (status in (
        'Pending', 'awaiting 3ds result', 'awaiting redirect result', 'awaiting clarification',
        'awaiting customer action', 'awaiting merchant auth', 'processing', 'Success', 'Decline', 'Error')),
      prescription jsonb not null default '{"kind":"none"}',
      answered_md text,
      gate_request_id text,
      gate_code text,
      pan_masked text check (pan_masked !~ '[0-9]{11}'),
      card_holder text,
      auth_code text,
      news_at timestamptz,
      checks integer not null default 0,
      next_check_at timestamptz,
      delivered_at timestamptz,
      refund_due boolean not null default false,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      check ((status in ('Success', 'Decline', 'Error')) = (ended_at is not null)),
      check (delivered_at is null or (status = 'Success' and not refund_due))
    ) with (fillfactor = 80)`.execute(db)
  await sql`create index payments_by_order on payments (order_id)`.execute(db)
  // One payment under way per order: the second click, tab or device finds this in its way.
  await sql`create unique index one_live_payment_per_order on payments (order_id) where ended_at is null`.execute(
    db,
  )
  await sql`create index payments_to_check on payments (next_check_at) where next_check_at is not null`.execute(
    db,
  )
}
