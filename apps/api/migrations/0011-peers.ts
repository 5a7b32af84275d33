import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // A node is announced by the operator, and becomes one when its agent enrols.
  await sql`
    alter table nodes
      alter column public_key drop not null,
      add column layer_id uuid references layers,
      add column is_demonstration boolean not null default false,
      add column enrolment_hash bytea unique,
      add column enrolment_expires_at timestamptz,
      add column agent_hash bytea unique,
      add column seen_at timestamptz,
      add column told_down_at timestamptz,
      add column load integer not null default 0,
      add column revision bigint not null default 0,
      add column applied_revision bigint not null default 0,
      add column horizon bigint not null default 0,
      add column report_number bigint not null default 0,
      add column removed_at timestamptz`.execute(db)
  await sql`
    update nodes set is_demonstration = true where name = 'demonstration' and endpoint = '192.0.2.1:51820'`.execute(
    db,
  )
  // The name of a node that is gone may be used again.
  await sql`alter table nodes drop constraint nodes_name_key`.execute(db)
  await sql`create unique index nodes_by_name on nodes (name) where removed_at is null`.execute(db)

  // No foreign keys: each delivery would lock the one row of its node, and a peer outlives its connection.
  await sql`
    create table peers (
      id uuid primary key,
      connection_id uuid not null,
      node_id uuid not null,
      position integer not null,
      public_key text not null,
      private_key_encrypted bytea,
      preshared_key_encrypted bytea not null,
      revision bigint,
      connected_on date,
      bytes_received bigint not null default 0,
      bytes_sent bigint not null default 0,
      replaced_at timestamptz,
      removed_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  // Keys stay sealed for the id that they were sealed for.
  await sql`
    insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted,
      created_at)
    select id, id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted, created_at
    from connections`.execute(db)
  await sql`create unique index one_peer_per_address on peers (node_id, position) where removed_at is null`.execute(
    db,
  )
  await sql`create unique index one_current_peer on peers (connection_id) where replaced_at is null`.execute(
    db,
  )
  await sql`create index replaced_peers on peers (connection_id) where replaced_at is not null`.execute(db)
  await sql`create index peers_to_number on peers (node_id) where revision is null`.execute(db)
  await sql`create index peers_by_revision on peers (node_id, revision)`.execute(db)
  await sql`create index removed_peers on peers (removed_at) where removed_at is not null`.execute(db)

  await sql`
    alter table connections
      drop column node_id,
      drop column position,
      drop column public_key,
      drop column private_key_encrypted,
      drop column preshared_key_encrypted,
      add column ad_filter_on boolean,
      add column malware_filter_on boolean,
      add column family_filter_on boolean,
      add column reminded_days integer,
      add column link_hash bytea unique,
      add column linked_at timestamptz`.execute(db)
  await sql`
    update connections set ad_filter_on = ad_filter, malware_filter_on = malware_filter,
      family_filter_on = family_filter`.execute(db)
  await sql`
    alter table connections
      alter column ad_filter_on set not null,
      alter column malware_filter_on set not null,
      alter column family_filter_on set not null,
      add constraint filters_are_bought check ((ad_filter or not ad_filter_on)
        and (malware_filter or not malware_filter_on) and (family_filter or not family_filter_on))`.execute(
    db,
  )
  await sql`create index connections_by_end on connections (expires_at) where expires_at is not null`.execute(
    db,
  )

  await sql`
    alter table orders
      add column renews uuid[] not null default '{}',
      add constraint renews_within_order check (cardinality(renews) <= connections)`.execute(db)
  await sql`
    create table renewals (
      payment_id text not null references payments,
      connection_id uuid not null references connections on delete cascade,
      days integer not null,
      old_end timestamptz not null,
      new_end timestamptz not null,
      created_at timestamptz not null default now(),
      primary key (payment_id, connection_id)
    )`.execute(db)
  await sql`create index renewals_by_connection on renewals (connection_id)`.execute(db)
}
