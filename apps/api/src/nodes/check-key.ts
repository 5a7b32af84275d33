import type { Dependencies } from '#dependencies.ts'

/**
 * Whether this program has the key that the shop seals with. One that does not must make no keys: nobody could open
 * them. True where there is nothing to try it on.
 */
export const hasShopsKey = async ({
  db,
  keyCipher,
}: Pick<Dependencies, 'db' | 'keyCipher'>): Promise<boolean> => {
  const peer = await db
    .selectFrom('peers')
    .select(['id', 'preshared_key_encrypted'])
    .limit(1)
    .executeTakeFirst()
  if (!peer) return true
  try {
    keyCipher.decrypt(peer.preshared_key_encrypted, peer.id)
    return true
  } catch {
    return false
  }
}
