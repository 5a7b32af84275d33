import type { With } from '#dependencies.ts'
import { openBankDetails } from '#partnership/bank-details.ts'

type Deps = With<'db' | 'keyCipher'>

export type KeyCheck = 'opens' | 'does-not-open' | 'nothing-to-try'

/** Opens something that the shop has sealed; undefined where it has sealed nothing. */
const somethingSealed = async ({ db, keyCipher }: Deps): Promise<(() => unknown) | undefined> => {
  const peer = await db
    .selectFrom('peers')
    .select(['id', 'preshared_key_encrypted'])
    .limit(1)
    .executeTakeFirst()
  if (peer) return () => keyCipher.decrypt(peer.preshared_key_encrypted, peer.id)
  const withdrawal = await db
    .selectFrom('withdrawals')
    .select(['id', 'details_encrypted as details'])
    .where('details_encrypted', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const { id, details } = withdrawal ?? {}
  return id && details ? () => openBankDetails(keyCipher, details, id) : undefined
}

/** Whether this program has the key that the shop seals with. One that does not must seal nothing: nobody could open it. */
export const checkShopsKey = async (deps: Deps): Promise<KeyCheck> => {
  const unseal = await somethingSealed(deps)
  if (!unseal) return 'nothing-to-try'
  try {
    unseal()
    return 'opens'
  } catch {
    return 'does-not-open'
  }
}
