import { type Kysely, sql } from 'kysely'

/** Purchases whose money went back by themselves, by what they were bought with: no more than so many let one buy again. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table returned_purchases (
      kind text not null check (kind in ('account', 'card', 'network')),
      key bytea not null,
      payment_id text not null,
      returned_at timestamptz not null default now(),
      primary key (kind, key, payment_id)
    )`.execute(db)
  await sql`create index returned_purchases_by_time on returned_purchases (returned_at)`.execute(db)
  await sql`create index returned_purchases_by_payment on returned_purchases (payment_id)`.execute(db)
}
