import { sql, type Updateable } from 'kysely'
import { IS_ACTIVE } from '#connections/connections.queries.ts'
import type { Db, Trx } from '#database/client.ts'
import type { ConnectionRow, ConnectionsTable } from '#database/tables/connections.table.ts'

/** Nobody changes it, or what was bought with it, until the transaction ends. */
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

export const updateConnection = async (
  trx: Trx,
  id: string,
  columns: Updateable<ConnectionsTable>,
): Promise<void> => {
  await trx.updateTable('connections').set(columns).where('id', '=', id).execute()
}

/** An older link ends with it. False when the connection has ended or is gone. */
export const setLink = async (db: Db, id: string, linkHash: Buffer): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ link_hash: linkHash, linked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>=', sql<Date>`now()`)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const clearLink = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('connections')
    .set({ link_hash: null, linked_at: null })
    .where('id', '=', id)
    .where('link_hash', 'is not', null)
    .execute()
}
