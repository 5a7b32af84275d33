import { type Kysely, sql } from 'kysely'

/** Of a node's tunnel, as its operator wants it. Null: its agent derives it from the uplink. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column mtu integer`.execute(db)
}
