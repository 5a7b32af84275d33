import { type Kysely, sql } from 'kysely'

/** The parameters of a node that speaks AmneziaWG; null: WireGuard. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column obfuscation jsonb`.execute(db)
}
