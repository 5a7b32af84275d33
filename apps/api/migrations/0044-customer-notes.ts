import { type Kysely, sql } from 'kysely'

/** What operators note about a customer, who asked to reset a second step, and the orders in which lists are read. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table customer_notes (
      id uuid primary key,
      customer_id uuid not null references customers on delete cascade,
      operator_id uuid not null references operators,
      text text not null check (length(text) between 1 and 2000),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index customer_notes_of_customer on customer_notes (customer_id, created_at desc)`.execute(
    db,
  )
  await sql`
    create table second_step_resets (
      customer_id uuid primary key references customers on delete cascade,
      operator_id uuid not null references operators,
      asked_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index customers_pages on customers (created_at desc, id desc)`.execute(db)
  await sql`create index connections_pages on connections (created_at desc, id desc)`.execute(db)
}
