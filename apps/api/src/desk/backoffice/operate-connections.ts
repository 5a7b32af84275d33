import { isUuid } from '@hedgerow/domain/ids'
import {
  type ConnectionFacts,
  endNow,
  findConnectionFacts,
  type ListedStatus,
  listCancelledOf,
  listConnectionFacts,
  listRenewals,
} from '#desk/backoffice/connection-facts.queries.ts'
import { lockConnections } from '#network/connections/connections.service.ts'
import { cutOff, touchPeers } from '#network/nodes/peers.ts'
import { findCustomerByEmail } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export const findConnection = async ({ db }: Deps, id: string): Promise<ConnectionFacts | undefined> =>
  isUuid(id) ? findConnectionFacts(db, id) : undefined

export type ConnectionReport = {
  connection: ConnectionFacts
  renewals: Awaited<ReturnType<typeof listRenewals>>
  cancelled: Awaited<ReturnType<typeof listCancelledOf>>
}

/** All there is to say of a connection but its keys; undefined when there is none. */
export const getConnectionReport = async (
  { db }: Deps,
  id: string,
): Promise<ConnectionReport | undefined> => {
  const connection = await findConnection({ db }, id)
  if (!connection) return undefined
  return {
    connection,
    renewals: await listRenewals(db, connection.id),
    cancelled: await listCancelledOf(db, connection.id),
  }
}

/** An account's newest. */
export const listConnectionsOf = (
  { db }: Deps,
  customerId: string,
  limit: number,
): Promise<ConnectionFacts[]> => listConnectionFacts(db, { customerId }, limit)

type Search = { nodeId?: string | undefined; email?: string | undefined; status?: ListedStatus | undefined }

/** The newest that a search finds; undefined when no account has the e-mail. */
export const searchConnections = async (
  { db }: Deps,
  { email, ...filter }: Search,
  limit: number,
): Promise<ConnectionFacts[] | undefined> => {
  if (email === undefined) return listConnectionFacts(db, filter, limit)
  const customer = await findCustomerByEmail(db, email)
  return customer && listConnectionFacts(db, { ...filter, customerId: customer.id }, limit)
}

/** It ends now; who uses it sees the page that says so, and may extend it. False when it had ended. */
export const expireConnection = ({ db }: Deps, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const isEnded = await endNow(trx, id)
    if (isEnded) await touchPeers(trx, [id])
    return isEnded
  })

/** It ends now, and its node keeps it no longer. False when none did. */
export const revokeConnection = ({ db }: Deps, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // An extension under way is waited for: what is cut off has ended.
    await lockConnections(trx, [id])
    await endNow(trx, id)
    return (await cutOff(trx, [id])) > 0
  })
