import { type Kysely, sql } from 'kysely'

/** What operators set while the shop runs; every process is told. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table running_settings (
      name text primary key,
      value jsonb not null,
      set_at timestamptz not null default now(),
      operator_id uuid references operators on delete set null
    )`.execute(db)
  await sql`
    create function tell_settings() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changed', 'settings:' || coalesce(new.name, old.name));
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger running_settings_tell after insert or update or delete on running_settings
    for each row execute function tell_settings()`.execute(db)
}
