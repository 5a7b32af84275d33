import type { SharedConnection } from '@hedgerow/contract/connections'
import { presentSharedConnection } from '#network/connections/connections.present.ts'
import { findConnectionOfLink, readFileNames } from '#network/connections/connections.queries.ts'
import { getActiveRow, getConnectionRow } from '#network/connections/connections.service.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import { endLink, setLink } from '#people/share-links/share-links.ts'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

/**
 * A secret that opens the configuration without a log-in, kept by `set` as its hash. The account is mailed of it. A session
 * that ends meanwhile makes none: its end ends those that are there.
 */
export const makeSecret = async <T>(
  { db, log, meters }: With<'db' | 'log' | 'meters'>,
  caller: Caller,
  connectionId: string,
  set: (trx: Trx, id: string, hash: Buffer) => Promise<T | undefined>,
): Promise<{ token: string; made: T }> => {
  const { customerId } = caller
  const row = await getActiveRow({ db }, customerId, connectionId)
  if (row.has_own_key) throw new Problem('own-key')
  await requireProof({ db }, caller)
  const token = newToken()
  const made = await db.transaction().execute(async (trx) => {
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    const made = await set(trx, connectionId, hashToken(token))
    if (!made) throw new Problem('connection-expired')
    await addJob(trx, 'mail-share-links', { customerId }, { key: `share-links:${customerId}` })
    await recordEvent({ db: trx, log, meters }, customerId, 'link-made')
    return made
  })
  return { token, made }
}

/** A link that shows the configuration to its holder, returned this once. The part after # is sent to no server. */
export const shareConnection = async (
  deps: With<'db' | 'log' | 'meters' | 'settings'>,
  caller: Caller,
  connectionId: string,
): Promise<{ url: string; sharedAt: string; sharedUntil: string }> => {
  const { token, made: times } = await makeSecret(deps, caller, connectionId, setLink)
  const { settings } = deps
  return {
    url: `${settings.publicUrl}/shared#${token}`,
    sharedAt: times.linked_at.toISOString(),
    sharedUntil: times.link_expires_at.toISOString(),
  }
}

export const revokeShareLink = async (
  { db }: With<'db'>,
  customerId: string,
  connectionId: string,
): Promise<void> => {
  await getConnectionRow({ db }, customerId, connectionId)
  await endLink(db, connectionId)
}

/** Throws 'link-not-found', whether there never was such a link or it has ended. */
export const readSharedConnection = async (
  deps: With<'db' | 'keyCipher' | 'settings'>,
  token: string,
): Promise<SharedConnection> => {
  const row = await findConnectionOfLink(deps.db, hashToken(token))
  if (!row?.customer_id) throw new Problem('link-not-found')
  return presentSharedConnection(row, deps, await readFileNames(deps.db, row.customer_id))
}
