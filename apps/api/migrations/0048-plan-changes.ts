import { type Kysely, sql } from 'kysely'

/** What is to be sold otherwise from a moment on. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table plan_changes (
      id uuid primary key,
      kind text not null check (kind in ('add', 'change', 'retire')),
      plan_id uuid references plans,
      layer_id uuid references layers on delete cascade,
      name text,
      period text,
      connections integer check (connections > 0),
      price_minor integer check (price_minor > 0),
      place integer check (place > 0),
      due_at timestamptz not null,
      created_at timestamptz not null default now(),
      -- When it was made, or could not be any more.
      ended_at timestamptz,
      check ((kind = 'add') = (layer_id is not null)),
      check ((kind = 'add') = (plan_id is null))
    )`.execute(db)
  await sql`create index plan_changes_to_come on plan_changes (due_at) where ended_at is null`.execute(db)
}
