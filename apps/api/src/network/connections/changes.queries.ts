import type { Updateable } from 'kysely'
import { IS_ACTIVE } from '#network/connections/connections.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { ConnectionRow, ConnectionsTable } from '#platform/database/tables/connections.table.ts'

/** Locks it, and what was bought with it, until the transaction ends. */
export const lockConnection = (
  trx: Trx,
  id: string,
): Promise<(ConnectionRow & { is_active: boolean }) | undefined> =>
  trx
    .selectFrom('connections')
    .selectAll()
    .select(IS_ACTIVE.as('is_active'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** The peer that its keys are of. */
export const getCurrentPeer = (
  trx: Trx,
  connectionId: string,
): Promise<{ node_id: string; has_own_key: boolean }> =>
  trx
    .selectFrom('peers')
    .select(['node_id', 'has_own_key'])
    .where('connection_id', '=', connectionId)
    .where('replaced_at', 'is', null)
    .executeTakeFirstOrThrow()

export const updateConnection = async (
  trx: Trx,
  id: string,
  columns: Updateable<ConnectionsTable>,
): Promise<void> => {
  await trx.updateTable('connections').set(columns).where('id', '=', id).execute()
}
