import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table layers (
      id uuid primary key,
      name text not null check (length(name) between 1 and 100),
      description text not null default '' check (length(description) <= 300),
      position integer not null unique
    )`.execute(db)
  await sql`
    create table plans (
      id uuid primary key,
      layer_id uuid not null references layers,
      name text not null check (length(name) between 1 and 100),
      period text not null check (length(period) between 1 and 50),
      connections integer not null check (connections between 1 and 100),
      price_minor integer not null check (price_minor > 0),
      position integer not null,
      retired_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  // Who has a plan's checkout open pays what it shows: a plan is retired and followed by another, never changed.
  await sql`
    create function refuse_to_change_plan() returns trigger language plpgsql as $$
      begin
        raise exception 'a plan never changes: retire it, and add another';
      end
    $$`.execute(db)
  await sql`
    create trigger plans_never_change before update of id, name, period, connections, price_minor on plans
    for each row execute function refuse_to_change_plan()`.execute(db)

  // An order is of the calculator, or of a plan as it was when it was ordered. No days: it never ends.
  await sql`
    alter table orders
      alter column days drop not null,
      drop constraint orders_connections_check,
      add column plan_id uuid references plans,
      add column plan_name text,
      add column plan_period text,
      add check ((plan_id is null) = (plan_name is null) and (plan_id is null) = (plan_period is null)),
      add check (plan_id is not null or days is not null),
      add check (connections between case when plan_id is null then 3 else 1 end
        and case when plan_id is null then 13 else 100 end)`.execute(db)
  // Who presses twice, or tries again after a decline, meets the order that is there already.
  await sql`
    create unique index one_unpaid_order_per_plan on orders (customer_id, plan_id)
    where plan_id is not null and status <> 'Completed'`.execute(db)

  await sql`
    insert into layers (id, name, description, position) values
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e10', 'For one', 'Your phone, your computer, and one to spare.', 1),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e20', 'For a household', 'Everyone at home, and the television.', 2),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e30', 'For an office', 'A small team, wherever it works.', 3)`.execute(
    db,
  )
  await sql`
    insert into plans (id, layer_id, name, period, connections, price_minor, position) values
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e11', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e10', 'Wren', '1 week', 3, 650, 1),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e12', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e10', 'Wren', '31 days', 3, 2400, 2),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e13', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e10', 'Wren', '1 year', 3, 18000, 3),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e21', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e20', 'Blackbird', '1 week', 6, 690, 1),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e22', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e20', 'Blackbird', '31 days', 6, 2500, 2),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e23', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e20', 'Blackbird', '1 year', 6, 19000, 3),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e24', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e20', 'Blackbird', 'Ethernity', 6, 49000, 4),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e31', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e30', 'Rook', '1 week', 12, 750, 1),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e32', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e30', 'Rook', '31 days', 12, 2700, 2),
      ('6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e33', '6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e30', 'Rook', '1 year', 12, 21000, 3)`.execute(
    db,
  )
}
