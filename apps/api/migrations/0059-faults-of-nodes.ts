import { type Kysely, sql } from 'kysely'

/** What an agent says does not work. Null: it is older than that, or has not looked yet. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column faults text, add column faults_since timestamptz`.execute(db)
}
