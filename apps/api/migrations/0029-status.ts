import { type Kysely, sql } from 'kysely'

/** What the status page tells: how nodes were, day by day, and what the operator says. And where nodes' customers come from. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table node_watch add column recorded_minute timestamptz`.execute(db)
  await sql`
    create table node_days (
      node_id uuid not null references nodes,
      day date not null,
      minutes_watched smallint not null,
      minutes_up smallint not null,
      primary key (node_id, day),
      check (minutes_up between 0 and minutes_watched)
    )`.execute(db)
  await sql`create index node_days_by_day on node_days (day)`.execute(db)
  await sql`
    create table incidents (
      id uuid primary key,
      title text not null check (length(title) between 1 and 100),
      places text[] not null check (cardinality(places) <= 20),
      is_planned boolean not null,
      starts_at timestamptz not null,
      ends_at timestamptz,
      closed_at timestamptz,
      created_at timestamptz not null default now(),
      check (is_planned = (ends_at is not null)),
      check (ends_at > starts_at)
    )`.execute(db)
  await sql`
    create table incident_updates (
      id uuid primary key,
      incident_id uuid not null references incidents on delete cascade,
      text text not null check (length(text) between 1 and 2000),
      written_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index incident_updates_in_turn on incident_updates (incident_id, written_at)`.execute(db)
  await sql`alter table nodes add column exit_addresses text[] not null default '{}'`.execute(db)
}
