import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Which save of the profile this is: an older one never overwrites a newer one.
  await sql`alter table customers add column profile_version integer not null default 1`.execute(db)
  // Null: the account was erased. What was paid is kept for the books, without the person.
  await sql`alter table orders alter column customer_id drop not null`.execute(db)
  await sql`alter table payments alter column customer_id drop not null`.execute(db)
  await sql`
    create table farewells (
      id uuid primary key,
      email text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
}
