import { type Kysely, sql } from 'kysely'

/** By itself, so that rows are read while nothing waits. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table payments validate constraint payments_method_check`.execute(db)
  await sql`alter table unknown_payments validate constraint unknown_payments_method_check`.execute(db)
}
