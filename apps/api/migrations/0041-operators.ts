import { type Kysely, sql } from 'kysely'

/** Who runs the shop from a browser, and by what they get in. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table operators (
      id uuid primary key,
      name text not null check (length(name) between 1 and 60 and name !~ '[@[:cntrl:]]'),
      role text not null check (role in ('owner', 'manager', 'support', 'finance', 'servers', 'viewer')),
      password_hash text,
      totp_encrypted bytea,
      totp_last_step bigint not null default 0,
      created_at timestamptz not null default now(),
      -- They get in no more; their name stays in the record.
      ended_at timestamptz
    )`.execute(db)
  await sql`create unique index operators_name on operators (lower(name))`.execute(db)
  await sql`
    create table operator_passkeys (
      id uuid primary key,
      operator_id uuid not null references operators on delete cascade,
      credential_id bytea not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      is_synced boolean not null,
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index operator_passkeys_of_operator on operator_passkeys (operator_id)`.execute(db)
  await sql`
    create table operator_invitations (
      token_hash bytea primary key,
      operator_id uuid not null references operators on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index operator_invitations_of_operator on operator_invitations (operator_id)`.execute(db)
  await sql`
    create table operator_sessions (
      token_hash bytea primary key,
      id uuid not null unique default gen_random_uuid(),
      operator_id uuid not null references operators on delete cascade,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      proved_at timestamptz not null default now(),
      browser text,
      network text
    )`.execute(db)
  await sql`create index operator_sessions_of_operator on operator_sessions (operator_id)`.execute(db)
  await sql`
    create table operator_tokens (
      id uuid primary key,
      token_hash bytea not null unique,
      operator_id uuid not null references operators on delete cascade,
      name text not null check (length(name) between 1 and 60),
      permissions text[] not null check (cardinality(permissions) > 0),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index operator_tokens_of_operator on operator_tokens (operator_id)`.execute(db)
  await sql`
    create table operator_challenges (
      token_hash bytea primary key,
      purpose text not null,
      operator_id uuid references operators on delete cascade,
      challenge text not null,
      tries integer not null default 0,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index operator_challenges_by_end on operator_challenges (expires_at)`.execute(db)
  // The record is read a page at a time, from any place in it.
  await sql`create index operator_actions_pages on operator_actions (at desc, id desc)`.execute(db)
  await sql`drop index operator_actions_newest`.execute(db)
}
