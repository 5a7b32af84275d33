import { hashOfSealed } from '#care/keys/count-sealed.ts'
import { connectionsOfPeers, insertUnreadable, listUnreadable } from '#care/keys/keys.queries.ts'
import { rowOfOwner } from '#care/keys/sealed-places.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { With } from '#platform/dependencies.ts'

/** Whether the keys that a connection has now were needed, and did not open. */
export const isKnownUnreadable = async ({ db }: With<'db'>, connectionId: string): Promise<boolean> => {
  const peers = await listUnreadable(db)
  const ids = peers.filter(({ kind }) => kind === 'connection').map(({ id }) => id)
  return (await connectionsOfPeers(db, ids)).some(({ connection_id }) => connection_id === connectionId)
}

/** Many damaged rows take no more of the memory; what is beyond is logged again. */
const MOST_REMEMBERED = 10_000

/** A cipher that counts what does not open, keeps which row it was for the operator, and logs each once. */
export const watchUnreadable = (
  cipher: KeyCipher,
  { db, log, later, meters }: With<'db' | 'later' | 'log' | 'meters'>,
): KeyCipher => {
  const logged = new Set<string>()
  const note = (sealed: Buffer, owner: string): void => {
    meters.didNotOpen()
    const hash = hashOfSealed(sealed)
    const name = hash.toString('hex')
    const row = rowOfOwner(owner)
    if (!row || logged.has(name)) return
    if (logged.size < MOST_REMEMBERED) logged.add(name)
    log.error(
      row,
      'a sealed value does not open: it was damaged, or sealed by a key that this shop does not have',
    )
    later.run('note what does not open', () => insertUnreadable(db, [{ ...row, hash }]))
  }
  const watched =
    (open: (sealed: Buffer, owner: string) => string) =>
    (sealed: Buffer, owner: string): string => {
      try {
        return open(sealed, owner)
      } catch (error) {
        note(sealed, owner)
        throw error
      }
    }
  return { ...cipher, decrypt: watched(cipher.decrypt), decryptText: watched(cipher.decryptText) }
}
