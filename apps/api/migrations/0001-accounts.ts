import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table customers (
      id uuid primary key,
      email text not null unique check (email = lower(email) and length(email) <= 254),
      name text not null check (length(name) between 1 and 100),
      first_name text not null default '',
      last_name text not null default '',
      phone text not null default '',
      address_country text not null default '',
      address_zip text not null default '',
      address_city text not null default '',
      address_string text not null default '',
      promocode text not null unique,
      password_hash text not null,
      terms_accepted_at timestamptz not null default now(),
      confirmed_at timestamptz,
      connections_made integer not null default 0,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table sessions (
      token_hash bytea primary key,
      customer_id uuid not null references customers on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index sessions_by_customer on sessions (customer_id)`.execute(db)
  await sql`
    create table account_links (
      token_hash bytea primary key,
      customer_id uuid not null references customers on delete cascade,
      purpose text not null check (purpose in ('confirm', 'reset')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index account_links_by_customer on account_links (customer_id)`.execute(db)
}
