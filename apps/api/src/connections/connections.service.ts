import type { Connection } from '@hedgerow/contract/connections'
import type { ConnectionData } from '@hedgerow/contract/profile'
import { isActive } from '@hedgerow/domain/connections'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { forgetPeers } from '#nodes/peers.queries.ts'
import { Problem } from '#problems.ts'
import { presentConnection, presentConnectionData } from './connections.present.ts'
import {
  deleteConnectionsOf,
  deleteLongEnded,
  findConnectionRow,
  listConnectionRows,
} from './connections.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

export const listConnections = async (
  { db, keyCipher }: With<'db' | 'keyCipher'>,
  customerId: string,
): Promise<Connection[]> =>
  (await listConnectionRows(db, customerId)).map((row) => presentConnection(row, keyCipher))

export const connectionsForExport = async (
  { db, keyCipher }: With<'db' | 'keyCipher'>,
  customerId: string,
): Promise<ConnectionData[]> =>
  (await listConnectionRows(db, customerId)).map((row) => presentConnectionData(row, keyCipher))

/** Queues the mail with the configuration. Throws 'connection-not-found' (also for another's) or 'connection-expired'. */
export const mailConnection = async (
  { db }: With<'db'>,
  customerId: string,
  connectionId: string,
): Promise<void> => {
  const row = await findConnectionRow(db, connectionId)
  if (row?.customer_id !== customerId) throw new Problem('connection-not-found')
  if (!isActive(row.expires_at, new Date())) throw new Problem('connection-expired')
  await addJob(db, 'mail-connection', { connectionId })
}

export const eraseConnections = async (trx: Transaction<Database>, customerId: string): Promise<void> => {
  await forgetPeers(trx, await deleteConnectionsOf(trx, customerId))
}

/** Deletes connections that ended so long ago that they cannot be extended any more. */
export const deleteEndedConnections = ({ db }: With<'db'>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const ids = await deleteLongEnded(trx)
    if (ids.length > 0) await forgetPeers(trx, ids)
  })
