import type { Connection } from '@hedgerow/contract/connections'
import { isActive } from '@hedgerow/domain/connections'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { Problem } from '#problems.ts'
import { presentConnection } from './connections.present.ts'
import { findConnectionRow, listConnectionRows } from './connections.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

export const listConnections = async (
  { db, keyCipher }: With<'db' | 'keyCipher'>,
  customerId: string,
): Promise<Connection[]> =>
  (await listConnectionRows(db, customerId)).map((row) => presentConnection(row, keyCipher))

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
