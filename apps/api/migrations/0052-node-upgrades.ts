import { type Kysely, sql } from 'kysely'

/**
 * Which version each agent runs, the archives that agents are offered, and their upgrades: one at a time of a node, and one
 * at a time of all.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table nodes
      add column agent_version text,
      add column agent_arch text,
      add column takes_upgrades boolean`.execute(db)
  await sql`
    create table agent_archives (
      id uuid primary key,
      version text not null,
      arch text not null,
      bytes integer not null,
      signature text not null,
      stored_at timestamptz not null default now(),
      unique (version, arch)
    )`.execute(db)
  await sql`
    create table agent_archive_parts (
      archive_id uuid not null references agent_archives on delete cascade,
      position integer not null,
      content bytea not null,
      primary key (archive_id, position)
    )`.execute(db)
  // What is compressed is not compressed again.
  await sql`alter table agent_archive_parts alter column content set storage external`.execute(db)
  await sql`
    create table node_upgrades (
      id uuid primary key,
      run_id uuid not null,
      place integer not null,
      node_id uuid not null references nodes on delete cascade,
      version text,
      from_version text,
      state text not null check (
        state in ('waiting', 'offered', 'downloading', 'installing', 'done', 'refused', 'failed', 'stopped')),
      reason text,
      created_at timestamptz not null default now(),
      heard_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db)
  await sql`
    create unique index node_upgrades_one_open on node_upgrades (node_id)
    where state in ('waiting', 'offered', 'downloading', 'installing')`.execute(db)
  await sql`
    create unique index node_upgrades_one_active on node_upgrades ((true))
    where state in ('offered', 'downloading', 'installing')`.execute(db)
  await sql`create index node_upgrades_by_node on node_upgrades (node_id, created_at)`.execute(db)

  await sql`
    create function tell_node_upgrade() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changed', 'live node:' || new.node_id);
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger node_upgrades_tell_operators after insert or update of state on node_upgrades
    for each row execute function tell_node_upgrade()`.execute(db)
  await sql`
    create trigger nodes_tell_operators_of_version after update of agent_version, takes_upgrades on nodes
    for each row when (
      old.agent_version is distinct from new.agent_version or old.takes_upgrades is distinct from new.takes_upgrades
    ) execute function tell_operators('node')`.execute(db)
}
