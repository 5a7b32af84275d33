import { type Kysely, sql } from 'kysely'

/** The ids under which pages buy a plan, each with the attempt to pay that it leads to. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table purchases (
      customer_id uuid not null references customers,
      id uuid not null,
      payment_id text not null unique references payments,
      primary key (customer_id, id)
    )`.execute(db)
}
