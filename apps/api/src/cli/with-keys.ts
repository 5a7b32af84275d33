import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import type { KeyCipher } from '#crypto/key-cipher.ts'
import type { Db } from '#database/client.ts'
import { areShopsKeys, cipherOf } from '#keys/shops-keys.ts'
import { readSharedKeys } from '#settings.ts'

/** Runs a command that makes or opens keys and sealed data, on the shop's database and with the shop's own key. */
export const withKeys = <T>(use: (deps: { db: Db; keyCipher: KeyCipher }) => Promise<T>): Promise<T> => {
  const keyCipher = cipherOf(readSharedKeys(process.env))
  return withDatabase(async (db) => {
    if (!(await areShopsKeys({ db, keyCipher })))
      throw new Refusal('KEY_ENCRYPTION_KEY is not the key that the shop runs with. Nothing was done.')
    return use({ db, keyCipher })
  })
}
