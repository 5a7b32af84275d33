import { type Kysely, sql } from 'kysely'

/** Days of a connection that the shop gave, with no payment. `operator_id` is null where it was done in the tool's shell. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table goodwill_days (
      id uuid primary key default gen_random_uuid(),
      connection_id uuid not null references connections on delete cascade,
      operator_id uuid references operators,
      days integer not null check (days between 1 and 62),
      reason text not null check (reason in ('outage', 'trouble', 'mistake', 'other')),
      old_end timestamptz not null,
      new_end timestamptz not null,
      created_at timestamptz not null default now(),
      check (new_end > old_end)
    )`.execute(db)
  await sql`create index goodwill_days_in_turn on goodwill_days (connection_id, created_at)`.execute(db)
}
