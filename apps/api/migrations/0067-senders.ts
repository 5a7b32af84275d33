import { type Kysely, sql } from 'kysely'

/** Whose mailbox a stranger has typed (`mailboxOf`): what waits for a person is listed once for each. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table cancellation_statements add column sender text`.execute(db)
  await sql`alter table conversations add column sender text`.execute(db)
}
