import { type Kysely, sql } from 'kysely'

/** Peers that two devices seem to use at once, as their node said a moment ago. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table peers_used_twice (
      peer_id uuid primary key references peers on delete cascade,
      seen_at timestamptz not null default now()
    )`.execute(db)
}
