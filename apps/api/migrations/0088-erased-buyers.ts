import { type Kysely, sql } from 'kysely'

/** Where mails about a purchase go that was made with an account that is deleted; and the terms that a payment accepted. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table erased_buyers (
    order_id uuid primary key,
    email text not null,
    name text not null,
    created_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table terms (
    hash bytea primary key,
    version text not null,
    kind text not null,
    content bytea not null,
    used_since timestamptz not null default now()
  )`.execute(db)
  await sql`alter table payments add column terms_hash bytea`.execute(db)
}
