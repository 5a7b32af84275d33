import { type Kysely, sql } from 'kysely'

/** Who carried a payment that is not known here, and their own id for it. All that were told of so far were the Gate's. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table unknown_payments
      add column gateway text not null default 'gate',
      add column gateway_ref text`.execute(db)
}
