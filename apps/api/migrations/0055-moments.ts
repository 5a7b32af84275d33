import { type Kysely, sql } from 'kysely'

/** Prices of the calculator that count from a moment on, and since when the block lists of a node are what they are. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table price_changes (
      id uuid primary key,
      -- By their names, in minor units.
      prices jsonb not null,
      due_at timestamptz not null,
      operator_id uuid references operators on delete set null,
      created_at timestamptz not null default now(),
      -- When it was made, or taken back.
      ended_at timestamptz
    )`.execute(db)
  await sql`create index price_changes_to_come on price_changes (due_at) where ended_at is null`.execute(db)
  await sql`alter table nodes add column list_times jsonb`.execute(db)
}
