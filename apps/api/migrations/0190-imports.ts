import { type Kysely, sql } from 'kysely'

/** Connections that were brought from another panel: no payment has made them, and their account may not be known. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table imports (
      id uuid primary key default gen_random_uuid(),
      node_id uuid not null references nodes,
      taken_over_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index imports_by_node on imports (node_id)`.execute(db)
  await sql`
    alter table connections
      alter column payment_id drop not null,
      alter column customer_id drop not null,
      add column import_id uuid references imports,
      add column imported_end timestamptz,
      add constraint bought_or_brought
        check (import_id is not null or (payment_id is not null and customer_id is not null)) not valid`.execute(
    db,
  )
  await sql`alter table peers add column ipv6_position integer`.execute(db)
}
