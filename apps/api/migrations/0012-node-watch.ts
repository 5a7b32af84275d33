import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column told_low_at timestamptz`.execute(db)
  await sql`
    create table node_watch (
      is_only boolean primary key default true check (is_only),
      watched_since timestamptz not null default now(),
      looked_at timestamptz not null default now(),
      told_waiting_at timestamptz
    )`.execute(db)
  await sql`insert into node_watch default values`.execute(db)
  await sql`create index replaced_peers_in_turn on peers (replaced_at)
    where replaced_at is not null and removed_at is null`.execute(db)
}
