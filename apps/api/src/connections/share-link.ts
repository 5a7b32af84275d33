import type { SharedConnection } from '@hedgerow/contract/connections'
import { clearLink, setLink } from '#connections/changes.queries.ts'
import { presentSharedConnection } from '#connections/connections.present.ts'
import { findConnectionOfLink } from '#connections/connections.queries.ts'
import { getActiveRow, getConnectionRow } from '#connections/connections.service.ts'
import { hashToken, newToken } from '#crypto/tokens.ts'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'

/** A link that shows the configuration to its holder, returned this once. The part after # is sent to no server. */
export const shareConnection = async (
  { db, settings }: With<'db' | 'settings'>,
  customerId: string,
  connectionId: string,
): Promise<string> => {
  await getActiveRow({ db }, customerId, connectionId)
  const token = newToken()
  if (!(await setLink(db, connectionId, hashToken(token)))) throw new Problem('connection-expired')
  return `${settings.publicUrl}/shared#${token}`
}

export const revokeShareLink = async (
  { db }: With<'db'>,
  customerId: string,
  connectionId: string,
): Promise<void> => {
  await getConnectionRow({ db }, customerId, connectionId)
  await clearLink(db, connectionId)
}

/** Throws 'link-not-found', whether there never was such a link or it was withdrawn. */
export const readSharedConnection = async (
  { db, keyCipher }: With<'db' | 'keyCipher'>,
  token: string,
): Promise<SharedConnection> => {
  const row = await findConnectionOfLink(db, hashToken(token))
  if (!row) throw new Problem('link-not-found')
  return presentSharedConnection(row, keyCipher)
}
