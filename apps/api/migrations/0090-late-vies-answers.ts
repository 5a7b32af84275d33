import { type Kysely, sql } from 'kysely'

/** What VIES says of a VAT number that it had not confirmed when the sale was made. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column vies_late_answer text,
      add column vies_asked_at timestamptz`.execute(db)
}
