import { type Kysely, sql } from 'kysely'

/** The name and address that a business customer gives with a VAT number, and those that VIES has of its holder. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column vat_name text,
      add column vat_address text,
      add column vies_name text,
      add column vies_address text`.execute(db)
}
