import { type Kysely, sql } from 'kysely'

/** What proves an account's owner besides the password, what sessions are known by, and what happened to an account. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table sessions
      add column id uuid not null unique default gen_random_uuid(),
      add column last_used_at timestamptz not null default now(),
      add column proved_at timestamptz not null default now(),
      add column browser text,
      add column network text`.execute(db)
  await sql`update sessions set last_used_at = created_at, proved_at = created_at`.execute(db)
  await sql`
    alter table customers
      add column second_step_at timestamptz,
      add column second_step_ends_at timestamptz,
      add column way_back_hash bytea unique,
      add constraint customers_way_back check (second_step_ends_at is null or second_step_at is not null)`.execute(
    db,
  )
  await sql`
    create table passkeys (
      id uuid primary key,
      customer_id uuid not null references customers on delete cascade,
      credential_id bytea not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      is_synced boolean not null,
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkeys_of_customer on passkeys (customer_id)`.execute(db)
  await sql`
    create table totp_secrets (
      customer_id uuid primary key references customers on delete cascade,
      secret_encrypted bytea,
      confirmed_at timestamptz,
      last_step bigint not null default 0,
      pending_encrypted bytea,
      pending_until timestamptz,
      check ((secret_encrypted is null) = (confirmed_at is null)),
      check ((pending_encrypted is null) = (pending_until is null))
    )`.execute(db)
  await sql`
    create table recovery_codes (
      id uuid primary key,
      customer_id uuid not null references customers on delete cascade,
      code_hash text not null,
      created_at timestamptz not null default now(),
      used_at timestamptz
    )`.execute(db)
  await sql`create index recovery_codes_of_customer on recovery_codes (customer_id)`.execute(db)
  await sql`
    create table auth_challenges (
      token_hash bytea primary key,
      purpose text not null,
      customer_id uuid references customers on delete cascade,
      challenge text not null,
      tries integer not null default 0,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index auth_challenges_of_customer on auth_challenges (customer_id)`.execute(db)
  await sql`create index auth_challenges_by_end on auth_challenges (expires_at)`.execute(db)
  await sql`
    create table security_events (
      id bigint generated always as identity primary key,
      customer_id uuid not null references customers on delete cascade,
      kind text not null,
      browser text,
      network text,
      times integer not null default 1,
      created_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      hour timestamptz,
      mail_to text
    )`.execute(db)
  await sql`create index security_events_of_customer on security_events (customer_id, id desc)`.execute(db)
  await sql`create index security_events_by_age on security_events (created_at)`.execute(db)
  // Refusals of an hour are one row, however many a stranger causes.
  await sql`
    create unique index security_events_of_hour on security_events (customer_id, kind, hour)
    where hour is not null`.execute(db)
}
