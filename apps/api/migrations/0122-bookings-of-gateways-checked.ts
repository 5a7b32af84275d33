import { type Kysely, sql } from 'kysely'

/** By itself, so that rows are read while nothing waits. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table settlement_operations validate constraint settlement_operations_kind_check`.execute(
    db,
  )
}
