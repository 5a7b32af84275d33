import { type Kysely, sql } from 'kysely'

/** The ports that a node listened on before, which it serves for files that name them; and when it got the one it has now. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column old_ports integer[] not null default '{}',
    add column port_changed_at timestamptz`.execute(db)
}
