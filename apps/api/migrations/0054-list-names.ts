import { type Kysely, sql } from 'kysely'

/** How many names each block list of a node has, as its agent says. Null: it has not said. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column list_names jsonb`.execute(db)
}
