import type { ConnectionData } from '@hedgerow/contract/account-data'
import type { Connection } from '@hedgerow/contract/connections'
import {
  isReadable,
  presentConnection,
  presentConnectionData,
} from '#network/connections/connections.present.ts'
import {
  type ConnectionWithPeer,
  deleteConnectionsOf,
  deleteLongEnded,
  findConnectionRow,
  listConnectionRows,
  listGivenDaysOf,
  listPeersOf,
  listRenewalsOf,
  readConnections,
  readFileNames,
} from '#network/connections/connections.queries.ts'
import { forgetPeers } from '#network/nodes/peers.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { Trx } from '#platform/database/client.ts'
import { inSlices } from '#platform/database/slices.ts'
import type { With } from '#platform/dependencies.ts'
import { LISTED_AT_ONCE, type Page } from '#platform/http/list-page.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export {
  IS_ACTIVE,
  IS_CONNECTED_TODAY,
  IS_USED_TWICE,
  LAST_CONNECTED_ON,
  lockConnections,
} from '#network/connections/connections.queries.ts'
export { ARE_KEYS_OVERDUE, countOverdue, WAITS_FOR_DEVICE } from '#network/nodes/key-renewal.queries.ts'

/** A page of a customer's connections; keys are opened for no others. Throws 'cursor-invalid'. */
export const listConnections = async (
  deps: With<'db' | 'keyCipher' | 'settings'>,
  customerId: string,
  after?: string,
): Promise<Page<Connection>> => {
  const { rows, next } = await readConnections(deps.db, customerId, LISTED_AT_ONCE, after)
  const files = await readFileNames(deps.db, customerId)
  return { rows: rows.map((row) => presentConnection(row, deps, files)), next }
}

export const connectionsForExport = async (
  deps: With<'db' | 'keyCipher' | 'settings'>,
  customerId: string,
): Promise<ConnectionData[]> => {
  const { db } = deps
  const peers = await listPeersOf(db, customerId)
  const renewals = await listRenewalsOf(db, customerId)
  const given = await listGivenDaysOf(db, customerId)
  const files = await readFileNames(db, customerId)
  return (await listConnectionRows(db, customerId)).map((row) => {
    const isItsOwn = ({ connection_id }: { connection_id: string }) => connection_id === row.id
    return presentConnectionData(row, deps, files, {
      peers: peers.filter(isItsOwn),
      renewals: renewals.filter(isItsOwn),
      given: given.filter(isItsOwn),
    })
  })
}

/** Throws 'connection-not-found', also when it is another customer's. */
export const getConnectionRow = async (
  { db }: With<'db'>,
  customerId: string,
  connectionId: string,
): Promise<ConnectionWithPeer> => {
  const row = await findConnectionRow(db, connectionId)
  if (row?.customer_id !== customerId) throw new Problem('connection-not-found')
  return row
}

/** The same, of one that has not ended; else throws 'connection-expired'. */
export const getActiveRow = async (
  deps: With<'db'>,
  customerId: string,
  connectionId: string,
): Promise<ConnectionWithPeer> => {
  const row = await getConnectionRow(deps, customerId, connectionId)
  if (!row.is_active) throw new Problem('connection-expired')
  return row
}

/**
 * Queues the mail with the configuration. Throws 'own-key' or 'connection-unreadable' where there is none, and 'not-confirmed' where
 * nobody has proved the address, as of an account that an operator's import made.
 */
export const mailConnection = async (
  deps: With<'db' | 'keyCipher'>,
  customerId: string,
  connectionId: string,
): Promise<void> => {
  const row = await getActiveRow(deps, customerId, connectionId)
  if (row.has_own_key) throw new Problem('own-key')
  if (!isReadable(row, deps.keyCipher)) throw new Problem('connection-unreadable')
  if (!(await findCustomer(deps.db, customerId))?.confirmed_at) throw new Problem('not-confirmed')
  await addJob(deps.db, 'mail-connection', { connectionId })
}

export const eraseConnections = async (trx: Trx, customerId: string): Promise<void> => {
  await forgetPeers(trx, await deleteConnectionsOf(trx, customerId))
}

/** With its peer, a resting address and what extended it, each is several rows. */
const ENDED_AT_ONCE = 200

/** Deletes connections that ended so long ago that they cannot be extended any more. */
export const deleteEndedConnections = ({ db }: With<'db'>): Promise<void> =>
  inSlices(
    (rows) =>
      db.transaction().execute(async (trx) => {
        const ids = await deleteLongEnded(trx, rows)
        if (ids.length > 0) await forgetPeers(trx, ids)
        return ids.length
      }),
    { rows: ENDED_AT_ONCE },
  )
