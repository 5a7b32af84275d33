import { type Kysely, sql } from 'kysely'

/** By itself, so that rows are read while nothing waits. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table disputes
      validate constraint disputes_status_check,
      validate constraint disputes_check1,
      validate constraint disputes_reversed`.execute(db)
  await sql`
    alter table ledger_transfers
      validate constraint ledger_transfers_check,
      validate constraint ledger_transfers_check1`.execute(db)
}
