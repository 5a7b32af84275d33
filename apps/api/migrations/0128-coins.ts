import { type Kysely, sql } from 'kysely'

/** What a payment in bitcoin came as. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table payments add column coins jsonb`.execute(db)
}
