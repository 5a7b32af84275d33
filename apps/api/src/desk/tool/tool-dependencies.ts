import { areShopsKeys, cipherOf } from '#care/keys/shops-keys.ts'
import type { ConsoleListDependencies } from '#desk/console/serve-list.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { gatewaysWhenAsked } from '#money/gateway/adapters.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { readSharedKeys, settingsWhenAsked } from '#platform/settings.ts'

export type ToolDependencies = ConsoleListDependencies & With<'settings' | 'keyCipher'> & GatewayDependencies

/** Either the shop's keys, or why there are none. */
const openKeys = async (db: Db, env: NodeJS.ProcessEnv): Promise<KeyCipher | Error> => {
  try {
    const keyCipher = cipherOf(readSharedKeys(env))
    if (await areShopsKeys({ db, keyCipher })) return keyCipher
    return new Refusal('KEY_ENCRYPTION_KEY is not the key that the shop runs with. Nothing was done.')
  } catch (error) {
    return error as Error
  }
}

/** What the operators' calls work with in the tool. What a command does not use may be missing. */
export const toolDependencies = async (db: Db, env: NodeJS.ProcessEnv): Promise<ToolDependencies> => {
  const settings = settingsWhenAsked(env)
  const keys = await openKeys(db, env)
  return {
    db,
    exportDb: db,
    log: console as never,
    settings,
    get keyCipher() {
      if (keys instanceof Error) throw keys
      return keys
    },
    gateways: gatewaysWhenAsked(settings),
  }
}
