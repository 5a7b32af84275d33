import { type Kysely, sql } from 'kysely'

/** The address from which a device fetches the file of a connection: its hash, since when, and how often it was read. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table connections
    add column file_address_hash bytea,
    add column file_address_made_at timestamptz,
    add column file_address_mailed_at timestamptz,
    add column file_address_read_at timestamptz,
    add column file_address_reads integer not null default 0`.execute(db)
}
