import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** Whose keys are to be renewed, and when. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(
    db,
    'connections_to_renew_keys',
    sql`on connections (keys_renew_on) where keys_every_days is not null`,
  )
}
