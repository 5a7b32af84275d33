import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // What the gateway is asked for can differ from the order's price: Blik settles in PLN. Both are kept, with the rate.
  await sql`
    alter table payments
      add column charged_minor integer check (charged_minor > 0),
      add column charged_currency text check (charged_currency in ('EUR', 'GBP', 'PLN')),
      add column rate_micro integer check (rate_micro > 0),
      add column rated_at timestamptz,
      add column refunded_minor integer not null default 0,
      add column abandoned_at timestamptz,
      add column told_at timestamptz`.execute(db)
  await sql`update payments set charged_minor = amount_minor, charged_currency = currency`.execute(db)
  await sql`
    alter table payments
      alter column charged_minor set not null,
      alter column charged_currency set not null,
      add constraint rate_where_converted check
        ((charged_currency = currency) = (rate_micro is null) and (rate_micro is null) = (rated_at is null)),
      add constraint refunded_within_charged check (refunded_minor between 0 and charged_minor)`.execute(db)
  await sql`alter table payments rename column answered_md to answered`.execute(db)
  // An attempt that its customer has left for another one is still followed, but no longer in the way.
  await sql`drop index one_live_payment_per_order`.execute(db)
  await sql`
    create unique index one_live_payment_per_order on payments (order_id)
    where ended_at is null and abandoned_at is null`.execute(db)

  await sql`
    create table refunds (
      id uuid primary key,
      payment_id text not null references payments,
      amount_minor integer not null check (amount_minor > 0),
      reason text not null check (reason in ('operator', 'paid-twice', 'account-erased', 'at-the-gateway')),
      is_by_hand boolean not null default false,
      status text not null default 'Pending' check (status in ('Pending', 'Success', 'Decline')),
      gate_request_id text,
      gate_operation_id text,
      gate_code text,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      unique (payment_id, gate_operation_id),
      check ((status = 'Pending') = (ended_at is null))
    )`.execute(db)
  await sql`create unique index one_pending_refund_per_payment on refunds (payment_id) where status = 'Pending'`.execute(
    db,
  )
  await sql`
    create table rates (
      currency text not null check (currency in ('EUR', 'GBP')),
      set_at timestamptz not null default now(),
      rate_micro integer not null check (rate_micro > 0),
      primary key (currency, set_at)
    )`.execute(db)
}
