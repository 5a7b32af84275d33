import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** A device is known by the hash of its address alone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(
    db,
    'connections_by_file_address',
    sql`on connections (file_address_hash) where file_address_hash is not null`,
    { isUnique: true },
  )
}
