import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // What an order costs, what a promocode takes off, and what is left to pay.
  await sql`
    alter table orders
      add column discount_minor integer not null default 0 check (discount_minor >= 0),
      add column price_minor integer not null generated always as (total_minor + discount_minor) stored,
      add column promocode text,
      add constraint discounts_are_by_promocode check (discount_minor = 0 or promocode is not null)`.execute(
    db,
  )

  // Whom a payment credits is settled when it is started. The books outlive accounts: no reference.
  await sql`
    alter table payments
      add column promocode text,
      add column partner_id uuid,
      add column is_credited boolean not null default false,
      add constraint no_own_partner check (partner_id <> customer_id)`.execute(db)
  await sql`
    update payments set partner_id = customers.referred_by
    from customers where customers.id = payments.customer_id`.execute(db)
  await sql`
    create index payments_to_credit on payments (ended_at)
    where status = 'Success' and partner_id is not null and not refund_due and not is_credited`.execute(db)
  await sql`
    create index payments_by_promocode on payments (promocode)
    where promocode is not null and not is_credited and not refund_due and status not in ('Decline', 'Error')`.execute(
    db,
  )
  await sql`drop index partner_transactions`.execute(db)

  await sql`
    create table partners (
      customer_id uuid primary key references customers on delete cascade,
      crossings integer not null default 0,
      transactions integer not null default 0 check (transactions >= 0),
      promocode_uses integer not null default 0 check (promocode_uses between 0 and transactions),
      promocode_limit integer check (promocode_limit >= 0),
      promocode_closed_at timestamptz
    )`.execute(db)
  await sql`
    insert into partners (customer_id, crossings) select customer_id, crossings from partner_crossings`.execute(
    db,
  )
  await sql`drop table partner_crossings`.execute(db)

  await sql`
    create table earnings (
      payment_id text primary key references payments,
      partner_id uuid not null,
      source text not null check (source in ('promocode', 'referral')),
      level integer not null,
      percentage integer not null check (percentage between 1 and 100),
      amount_minor integer not null check (amount_minor >= 0),
      currency text not null check (currency in ('EUR', 'GBP')),
      due_back_minor integer not null default 0 check (due_back_minor between 0 and amount_minor),
      reversed_minor integer not null default 0 check (reversed_minor between 0 and due_back_minor),
      is_refunded boolean not null default false,
      earned_at timestamptz not null default now(),
      available_at timestamptz not null,
      matured_at timestamptz
    )`.execute(db)
  await sql`create index earnings_by_partner on earnings (partner_id, earned_at desc)`.execute(db)
  await sql`create index earnings_to_mature on earnings (available_at) where matured_at is null`.execute(db)
  await sql`
    create index earnings_owing on earnings (partner_id, currency)
    where reversed_minor < due_back_minor`.execute(db)

  await sql`
    create table withdrawals (
      id uuid primary key,
      partner_id uuid not null,
      currency text not null check (currency in ('EUR', 'GBP')),
      amount_minor integer not null check (amount_minor > 0),
      method text not null check (method in ('iban', 'sort_code')),
      details_encrypted bytea,
      ends_with text not null check (length(ends_with) <= 4),
      status text not null default 'requested' check (status in ('requested', 'paid', 'refused')),
      reason text check (length(reason) <= 500),
      reference text check (length(reference) <= 140),
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      check ((status = 'requested') = (ended_at is null)),
      check ((status = 'refused') = (reason is not null)),
      check (reference is null or status = 'paid'),
      check (status <> 'requested' or details_encrypted is not null)
    )`.execute(db)
  await sql`create index withdrawals_by_partner on withdrawals (partner_id, created_at desc)`.execute(db)
  await sql`create index withdrawals_asked on withdrawals (created_at) where status = 'requested'`.execute(db)
  await sql`
    create index withdrawals_with_details on withdrawals (ended_at)
    where details_encrypted is not null and ended_at is not null`.execute(db)

  // Each row is a double entry: what leaves one account arrives in the other. So the sum over all accounts is zero.
  await sql`
    create table ledger_transfers (
      id bigint generated always as identity primary key,
      partner_id uuid not null,
      currency text not null check (currency in ('EUR', 'GBP')),
      kind text not null,
      from_account text not null,
      to_account text not null,
      amount_minor integer not null check (amount_minor > 0),
      payment_id text references payments,
      withdrawal_id uuid references withdrawals,
      created_at timestamptz not null default now(),
      check ((kind, from_account, to_account) in (
        ('earned', 'shop', 'pending'),
        ('matured', 'pending', 'available'),
        ('reversed', 'pending', 'shop'),
        ('reversed', 'available', 'shop'),
        ('requested', 'available', 'requested'),
        ('refused', 'requested', 'available'),
        ('paid', 'requested', 'paid'),
        ('given-up', 'pending', 'shop'),
        ('given-up', 'available', 'shop'))),
      check ((kind in ('earned', 'matured', 'reversed')) = (payment_id is not null)),
      check ((kind in ('requested', 'refused', 'paid')) = (withdrawal_id is not null))
    )`.execute(db)
  await sql`
    create index ledger_by_payment on ledger_transfers (payment_id) where payment_id is not null`.execute(db)
  await sql`create index ledger_by_partner on ledger_transfers (partner_id, id desc)`.execute(db)
  await sql`
    create unique index earned_and_matured_once on ledger_transfers (payment_id, kind)
    where kind in ('earned', 'matured')`.execute(db)
  await sql`
    create unique index requested_once on ledger_transfers (withdrawal_id) where kind = 'requested'`.execute(
    db,
  )
  await sql`
    create unique index settled_once on ledger_transfers (withdrawal_id) where kind in ('refused', 'paid')`.execute(
    db,
  )
  await sql`
    create view ledger_entries as
      select id as transfer_id, partner_id, currency, from_account as account, -amount_minor as amount_minor
      from ledger_transfers
      union all
      select id, partner_id, currency, to_account, amount_minor from ledger_transfers`.execute(db)

  // What the entries come to. No account but the shop's can be overdrawn, whoever writes.
  await sql`
    create table partner_balances (
      partner_id uuid not null,
      currency text not null check (currency in ('EUR', 'GBP')),
      pending_minor bigint not null default 0 check (pending_minor >= 0),
      available_minor bigint not null default 0 check (available_minor >= 0),
      requested_minor bigint not null default 0 check (requested_minor >= 0),
      paid_minor bigint not null default 0 check (paid_minor >= 0),
      primary key (partner_id, currency)
    )`.execute(db)
  await sql`
    create function keep_balance() returns trigger language plpgsql as $$
    declare
      moved bigint := new.amount_minor;
    begin
      insert into partner_balances (partner_id, currency) values (new.partner_id, new.currency)
      on conflict do nothing;
      update partner_balances set
        pending_minor = pending_minor
          + case when new.to_account = 'pending' then moved when new.from_account = 'pending' then -moved else 0 end,
        available_minor = available_minor
          + case when new.to_account = 'available' then moved when new.from_account = 'available' then -moved else 0 end,
        requested_minor = requested_minor
          + case when new.to_account = 'requested' then moved when new.from_account = 'requested' then -moved else 0 end,
        paid_minor = paid_minor + case when new.to_account = 'paid' then moved else 0 end
      where partner_id = new.partner_id and currency = new.currency;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ledger_keeps_balances after insert on ledger_transfers
    for each row execute function keep_balance()`.execute(db)
  // What the law no longer wants kept may go: six years after the end of its year.
  await sql`
    create function refuse_to_rewrite_ledger() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and extract(year from old.created_at at time zone 'Europe/London')
        < extract(year from now() at time zone 'Europe/London') - 6 then
        return old;
      end if;
      raise exception 'the ledger is only ever added to';
    end $$`.execute(db)
  await sql`
    create trigger ledger_is_append_only before update or delete on ledger_transfers
    for each row execute function refuse_to_rewrite_ledger()`.execute(db)
  await sql`
    create trigger ledger_is_not_emptied before truncate on ledger_transfers
    for each statement execute function refuse_to_rewrite_ledger()`.execute(db)
}
