import { type Kysely, sql } from 'kysely'

/**
 * Programs elsewhere that are told of what happens, and what each was told. Deliveries refer to their endpoint without a
 * foreign key: removing an endpoint must never make a purchase wait, or fail.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table webhook_endpoints (
      id uuid primary key,
      url text not null,
      events text[] not null,
      secret_encrypted bytea not null,
      former_secret_encrypted bytea,
      former_secret_until timestamptz,
      created_at timestamptz not null default now(),
      failing_since timestamptz,
      disabled_at timestamptz,
      disabled_because text check (disabled_because in ('operator', 'failing', 'gone')),
      ends_told_at timestamptz not null default now(),
      check ((disabled_at is null) = (disabled_because is null))
    )`.execute(db)
  await sql`
    create table webhook_deliveries (
      id uuid primary key default gen_random_uuid(),
      endpoint_id uuid not null,
      event text not null,
      -- What happened once has one name: it is told once.
      occurrence text not null,
      data jsonb not null,
      happened_at timestamptz not null default now(),
      attempts integer not null default 0,
      failures integer not null default 0,
      next_try_at timestamptz default now(),
      tried_at timestamptz,
      delivered_at timestamptz,
      status_code integer,
      error text,
      unique (endpoint_id, event, occurrence)
    )`.execute(db)
  await sql`create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at)
    where next_try_at is not null`.execute(db)
  await sql`create index webhook_deliveries_by_time on webhook_deliveries (happened_at, id)`.execute(db)

  await sql`
    create function record_webhook(event text, occurrence text, data jsonb) returns void language sql as $$
      insert into webhook_deliveries (endpoint_id, event, occurrence, data)
      select id, $1, $2, $3 from webhook_endpoints where disabled_at is null and $1 = any(events)
      on conflict do nothing
    $$`.execute(db)
  await sql`
    create function record_order_paid() returns trigger language plpgsql as $$
      declare paid record;
      begin
        if not exists (select from webhook_endpoints) then return null; end if;
        select id, method, charged_minor, charged_currency into paid from payments
          where order_id = new.id and status = 'Success' and not refund_due and not is_unknown
          order by ended_at desc limit 1;
        if found then
          perform record_webhook('order.paid', new.id::text, jsonb_build_object(
            'orderId', new.id, 'paymentId', paid.id, 'method', paid.method,
            'total', jsonb_build_object('minor', new.total_minor, 'currency', new.currency),
            'charged', jsonb_build_object('minor', paid.charged_minor, 'currency', paid.charged_currency),
            'connections', new.connections, 'days', new.days));
        end if;
        return null;
      end
    $$`.execute(db)
  await sql`
    create function record_connection() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          perform record_webhook('connection.delivered', new.id::text, jsonb_build_object(
            'connectionId', new.id, 'paymentId', new.payment_id, 'endsAt', new.expires_at));
        else
          perform record_webhook('connection.ended', new.id || ' ' || extract(epoch from new.expires_at),
            jsonb_build_object('connectionId', new.id, 'paymentId', new.payment_id, 'endedAt', new.expires_at));
        end if;
        return null;
      end
    $$`.execute(db)
  await sql`
    create function record_refund() returns trigger language plpgsql as $$
      begin
        perform record_webhook('payment.refunded', new.id::text, jsonb_build_object(
          'refundId', new.id, 'paymentId', new.payment_id, 'reason', new.reason,
          'sum', (select jsonb_build_object('minor', new.amount_minor,
            'currency', coalesce(received_currency, charged_currency)) from payments where id = new.payment_id)));
        return null;
      end
    $$`.execute(db)
  await sql`
    create function record_dispute() returns trigger language plpgsql as $$
      begin
        perform record_webhook(
          case when tg_op = 'INSERT' then 'dispute.opened' else 'dispute.changed' end,
          new.id || ' ' || new.status || ' ' || new.phase, jsonb_build_object(
          'disputeId', new.id, 'paymentId', new.payment_id, 'status', new.status, 'reason', new.reason,
          'sum', jsonb_build_object('minor', new.amount_minor, 'currency', new.currency),
          'respondBy', new.respond_by));
        return null;
      end
    $$`.execute(db)
  await sql`
    create function record_application() returns trigger language plpgsql as $$
      begin
        perform record_webhook('application.received', new.id::text,
          jsonb_build_object('applicationId', new.id));
        return null;
      end
    $$`.execute(db)
}
