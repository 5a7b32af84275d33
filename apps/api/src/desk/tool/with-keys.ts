import { areShopsKeys, cipherOf } from '#care/keys/shops-keys.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'
import { readSharedKeys } from '#platform/settings.ts'

/** Runs a command that makes or opens keys and sealed data, on the shop's database and with the shop's own key. */
export const withKeys = <T>(use: (deps: { db: Db; keyCipher: KeyCipher }) => Promise<T>): Promise<T> => {
  const keyCipher = cipherOf(readSharedKeys(toolRun().env))
  return withDatabase(async (db) => {
    if (!(await areShopsKeys({ db, keyCipher })))
      throw new Refusal('KEY_ENCRYPTION_KEY is not the key that the shop runs with. Nothing was done.')
    return use({ db, keyCipher })
  })
}
