import { type Kysely, sql } from 'kysely'

const METHODS = sql`check (method in ('card', 'open_banking', 'blik', 'crypto')) not valid`

/** A fourth way to pay. Nothing is sold by it until an operator turns it on. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      drop constraint payments_method_check,
      add constraint payments_method_check ${METHODS}`.execute(db)
  await sql`
    alter table unknown_payments
      drop constraint unknown_payments_method_check,
      add constraint unknown_payments_method_check ${METHODS}`.execute(db)
}
