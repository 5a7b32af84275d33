import { type Kysely, sql } from 'kysely'

/**
 * Links that show a connection end by themselves, those that are there seven days from now; and it is known when the
 * account was last mailed about one.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table connections
      add column link_expires_at timestamptz,
      add column link_mailed_at timestamptz`.execute(db)
  await sql`update connections set link_expires_at = now() + interval '7 days' where link_hash is not null`.execute(
    db,
  )
  await sql`
    alter table connections
      add constraint links_have_an_end check ((link_hash is null) = (link_expires_at is null))`.execute(db)
  await sql`
    create index connections_by_link_end on connections (link_expires_at) where link_expires_at is not null`.execute(
    db,
  )
}
