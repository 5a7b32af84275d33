import { type Kysely, sql } from 'kysely'

/**
 * Parts of words are found by their pieces of three letters. Whoever owns a database may create this extension. Where the
 * server does not have it, a search reads every row instead.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create function pg_temp.add_parts_of_words() returns void language plpgsql as $$
    begin
      create extension if not exists pg_trgm;
    exception when insufficient_privilege or undefined_file or feature_not_supported then
      raise warning 'pg_trgm is not there: searches by parts of words are slow (docs/database.md)';
    end $$`.execute(db)
  await sql`select pg_temp.add_parts_of_words()`.execute(db)
}
