import { type Kysely, sql } from 'kysely'

/** The keys that rows may be sealed by, which process has which of them, and what none of them opens. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table sealing_keys (
      id text primary key check (id ~ '^[0-9a-f]{6}$'),
      hash_key_encrypted bytea not null,
      first_used_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table key_holders (
      backend_pid integer not null,
      backend_start timestamptz not null,
      seals text not null,
      opens text[] not null,
      primary key (backend_pid, backend_start)
    )`.execute(db)
  await sql`
    create table unreadable_secrets (
      sealed_hash bytea primary key,
      place text not null,
      row_id uuid not null,
      seen_at timestamptz not null default now()
    )`.execute(db)
}
