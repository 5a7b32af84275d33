import { type Kysely, sql } from 'kysely'

/** Who carries a payment. All that were made so far were carried by the Gate. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column gateway text not null default 'gate',
      add column gateway_ref text,
      add constraint payments_gateway check (gateway in ('gate', 'stripe')) not valid,
      add constraint payments_gateway_ref check (gateway_ref is null or gateway <> 'gate') not valid`.execute(
    db,
  )
}
