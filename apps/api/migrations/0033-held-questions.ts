import { type Kysely, sql } from 'kysely'

/** While too many questions wait, a visitor's is held until its mailed link was opened. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table conversations add column is_held boolean not null default false`.execute(db)
  await sql`create index held_questions on conversations (created_at) where is_held`.execute(db)
}
