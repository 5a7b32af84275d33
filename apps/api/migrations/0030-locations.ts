import { type Kysely, sql } from 'kysely'

/** Nodes say where they are, and orders where their new connections are to be. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column time_zone text check (length(time_zone) <= 100)`.execute(db)
  await sql`
    alter table orders
      add column location_id uuid references nodes,
      add column location_is_chosen boolean not null default false`.execute(db)
}
