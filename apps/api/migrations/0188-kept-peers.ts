import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** Keys that work until their renewal is used: few, and asked for with each connection that is listed. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  buildIndex(db, 'peers_kept', sql`on peers (connection_id) where is_kept and removed_at is null`)
