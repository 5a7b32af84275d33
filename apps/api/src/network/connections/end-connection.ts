import { sql } from 'kysely'
import { lockConnections } from '#network/connections/connections.queries.ts'
import { cutOff, touchPeers } from '#network/nodes/peers.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** False when it has ended before. */
const endNow = async (db: Db, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({
      expires_at: sql<Date>`now()`,
      // What is bought from now on is not touched by it.
      ended_by_hand: sql<Date[]>`ended_by_hand || now()`,
    })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** It ends now; who uses it sees the page that says so, and may extend it. False when it had ended. */
export const expireConnection = ({ db }: With<'db'>, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const isEnded = await endNow(trx, id)
    if (isEnded) await touchPeers(trx, [id])
    return isEnded
  })

/** It ends now, and its node keeps it no longer. False when none did. */
export const revokeConnection = ({ db }: With<'db'>, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // An extension under way is waited for: what is cut off has ended.
    await lockConnections(trx, [id])
    await endNow(trx, id)
    return (await cutOff(trx, [id])) > 0
  })
