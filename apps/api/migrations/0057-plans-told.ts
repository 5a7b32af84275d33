import { type Kysely, sql } from 'kysely'

/** Every process is told when what is on sale changes: they keep the lists in memory. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create function tell_plans() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changed', 'plans:');
        return null;
      end
    $$`.execute(db)
  for (const table of ['plans', 'layers'])
    await sql`
      create trigger ${sql.raw(table)}_tell after insert or update or delete or truncate on ${sql.table(table)}
      for each statement execute function tell_plans()`.execute(db)
}
