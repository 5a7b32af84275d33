import { createHash } from 'node:crypto'
import { fileOf, presentConnection } from '#network/connections/connections.present.ts'
import { readConnectionOfAddress, readFileNames } from '#network/connections/connections.queries.ts'
import { getConnectionRow } from '#network/connections/connections.service.ts'
import { makeSecret } from '#network/connections/share-link.ts'
import type { Caller } from '#people/sessions/recent-proof.ts'
import { endFileAddress, setFileAddress } from '#people/share-links/share-links.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

const EXTENSION = /\.conf$/

/**
 * An address for a router or an app that fetches its file, returned this once. It ends with keys made by hand, the connection, a new
 * password, or when it is withdrawn.
 */
export const makeFileAddress = async (
  deps: With<'db' | 'log' | 'meters' | 'settings'>,
  caller: Caller,
  connectionId: string,
): Promise<{ url: string; createdAt: string }> => {
  const { token, made } = await makeSecret(deps, caller, connectionId, setFileAddress)
  return { url: `${deps.settings.publicUrl}/c/${token}.conf`, createdAt: made.toISOString() }
}

export const withdrawFileAddress = async (
  { db }: With<'db'>,
  customerId: string,
  connectionId: string,
): Promise<void> => {
  await getConnectionRow({ db }, customerId, connectionId)
  await endFileAddress(db, connectionId)
}

/** `file`: the last part of the address. Throws 'link-not-found', whether there never was such an address or it has ended. */
export const readConnectionFile = async (
  deps: With<'db' | 'keyCipher' | 'settings'>,
  file: string,
): Promise<{ name: string; text: string; etag: string }> => {
  const row = await readConnectionOfAddress(deps.db, hashToken(file.replace(EXTENSION, '')))
  if (!row?.customer_id) throw new Problem('link-not-found')
  const connection = presentConnection(row, deps, await readFileNames(deps.db, row.customer_id))
  if (connection.isUnreadable || connection.hasOwnKey) throw new Problem('link-not-found')
  const { name, text } = fileOf(connection)
  return {
    name,
    text,
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
  }
}
