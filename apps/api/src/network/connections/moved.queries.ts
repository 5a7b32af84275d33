import { sql } from 'kysely'
import { IS_OBFUSCATED } from '#network/nodes/capacity.queries.ts'
import type { Db } from '#platform/database/client.ts'

/** A customer's connections that are on another node than before, and have not been used there yet. */
export const listMoved = (db: Db, customerId: string) =>
  db
    .selectFrom('connections')
    .innerJoin('peers', 'peers.connection_id', 'connections.id')
    .innerJoin('nodes', 'nodes.id', 'peers.node_id')
    .select([
      'connections.name',
      'nodes.name as node_name',
      'peers.has_own_key',
      IS_OBFUSCATED.as('is_obfuscated'),
      sql<boolean>`exists (select from peers as older join nodes as former on former.id = older.node_id
        where older.connection_id = connections.id and former.obfuscation is not null)`.as('was_obfuscated'),
    ])
    .where('connections.customer_id', '=', customerId)
    .where('peers.replaced_at', 'is', null)
    .where('peers.removed_at', 'is', null)
    .where('peers.connected_on', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('peers as older')
          .select('older.id')
          .whereRef('older.connection_id', '=', 'connections.id')
          .whereRef('older.node_id', '<>', 'peers.node_id')
          .where('older.replaced_at', 'is not', null),
      ),
    )
    .orderBy('connections.created_at')
    .orderBy('connections.ordinal')
    .execute()
