import { type Kysely, sql } from 'kysely'

/** Backups that the shop makes by itself, where each was put, and why one was not made. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table backups (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      place text not null,
      machine text not null,
      began_at timestamptz not null,
      ended_at timestamptz,
      bytes bigint,
      fault text,
      upload_id text,
      unique (name, place, machine),
      check (ended_at is null or fault is null)
    )`.execute(db)
}
