import { type Kysely, sql } from 'kysely'

/** Whether nodes answer the shop as they would answer a customer, who comes from outside. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column shop_key text, add column has_live_customers boolean not null default false,
    add column unreached text, add column unreached_since timestamptz,
    add column is_surely_unreached boolean not null default false,
    add column answered_addresses jsonb not null default '[]'`.execute(db)
  await sql`alter table node_watch add column handshakes_at timestamptz`.execute(db)
}
