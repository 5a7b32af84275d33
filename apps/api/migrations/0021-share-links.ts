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
  // A process of the version before, which runs on for a while, knows nothing of ends: what it writes gets one, and what
  // it withdraws loses it, before the check looks.
  await sql`
    create function give_links_an_end() returns trigger language plpgsql as $$
    begin
      if new.link_hash is null then
        new.link_expires_at := null;
      elsif new.link_expires_at is null or (new.link_hash is distinct from old.link_hash
          and new.link_expires_at is not distinct from old.link_expires_at) then
        new.link_expires_at := now() + interval '7 days';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger links_get_an_end before insert or update of link_hash on connections
    for each row when (new.link_hash is not null or new.link_expires_at is not null)
    execute function give_links_an_end()`.execute(db)
  await sql`
    alter table connections
      add constraint links_have_an_end check ((link_hash is null) = (link_expires_at is null))`.execute(db)
  await sql`
    create index connections_by_link_end on connections (link_expires_at) where link_expires_at is not null`.execute(
    db,
  )
}
