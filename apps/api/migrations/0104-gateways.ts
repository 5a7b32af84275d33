import { type Kysely, sql } from 'kysely'

/** Who carries a payment, and their own id for it. All that were made so far were carried by the Gate. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column gateway text not null default 'gate',
      add column gateway_ref text`.execute(db)
}
