import { type Kysely, sql } from 'kysely'

/** What came beyond the sum that was asked for; and since when the operator has settled it with the customer. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column over_minor integer,
      add column over_settled_at timestamptz`.execute(db)
}
