import { type Kysely, sql } from 'kysely'

/** By itself, so that rows are read while nothing waits. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table peers validate constraint own_key_is_not_here`.execute(db)
}
