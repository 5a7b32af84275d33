import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table nodes (
      id uuid primary key,
      name text not null unique,
      endpoint text not null,
      public_key text not null,
      ipv4 cidr not null check (family(ipv4) = 4),
      ipv6 cidr not null check (family(ipv6) = 6),
      is_open boolean not null default true,
      filled_to integer not null default 1,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table free_addresses (
      node_id uuid not null references nodes,
      position integer not null,
      available_at timestamptz not null default now(),
      primary key (node_id, position)
    )`.execute(db)
  await sql`create index free_addresses_in_turn on free_addresses (node_id, available_at, position)`.execute(
    db,
  )
  await sql`
    create table connections (
      id uuid primary key,
      customer_id uuid not null references customers,
      payment_id text not null references payments,
      ordinal integer not null,
      -- No foreign key: each delivery would lock the one row of its node, and they would wait for each other.
      node_id uuid not null,
      position integer not null,
      name text not null,
      public_key text not null,
      private_key_encrypted bytea not null,
      preshared_key_encrypted bytea not null,
      priority_bandwidth boolean not null,
      ad_filter boolean not null,
      malware_filter boolean not null,
      family_filter boolean not null,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      unique (payment_id, ordinal),
      unique (node_id, position)
    )`.execute(db)
  await sql`create index connections_by_customer on connections (customer_id, created_at desc)`.execute(db)
}
