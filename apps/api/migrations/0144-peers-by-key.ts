import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** Who names another's key would get that peer's place: WireGuard tells the peers of a node apart by their keys alone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(db, 'one_peer_per_key', sql`on peers (public_key, node_id) where removed_at is null`, {
    isUnique: true,
  })
  // One that moves with its key has it on two nodes for a while; the older peer is a replaced one.
  await buildIndex(
    db,
    'one_connection_per_own_key',
    sql`on peers (public_key) where has_own_key and replaced_at is null and removed_at is null`,
    { isUnique: true },
  )
}
