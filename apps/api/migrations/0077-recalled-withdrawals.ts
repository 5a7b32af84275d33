import { type Kysely, sql } from 'kysely'

/** A withdrawal that is not to be paid although it stands in a file for the bank. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table withdrawals add column recalled_at timestamptz`.execute(db)
}
