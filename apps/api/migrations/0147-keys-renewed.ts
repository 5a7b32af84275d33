import { type Kysely, sql } from 'kysely'

/**
 * Keys that are renewed every so many days. `keys_told_on`: the day of a renewal that the customer was emailed of.
 * `peers.is_kept`: what was renewed works until the new keys are used.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table connections
    add column keys_every_days smallint,
    add column keys_renew_on date,
    add column keys_told_on date,
    add column keys_renewed_at timestamptz,
    add column keys_mailed_at timestamptz,
    add column keys_reminded_at timestamptz`.execute(db)
  await sql`alter table peers add column is_kept boolean not null default false`.execute(db)
}
