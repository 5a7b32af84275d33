import { type Kysely, sql } from 'kysely'

/**
 * Which versions may still run on this database: those that know the migration named here. No row: all that know this one. A
 * migration that takes something away raises it (013).
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table schema_floor (
      is_only boolean primary key default true check (is_only),
      migration text not null,
      release text not null
    )`.execute(db)
}
