import type { AgentNode } from '@hedgerow/contract/agents'
import { createBackoff, pause } from '#runtime/backoff.ts'
import type { Log } from '#runtime/log.ts'
import { SettingsError } from '#settings.ts'
import { type ShopClient, ShopRefusal } from '#shop/shop-client.ts'
import type { Identity } from '#state/identity.ts'

/** Worth trying again: the shop is busy or broken, not unwilling. */
const isPassing = (error: unknown) =>
  !(error instanceof ShopRefusal) || error.status === 429 || error.status >= 500

/** Makes this server a node. Repeats the same call until it is answered; undefined: the agent stops. */
export const enrol = async (
  shop: ShopClient,
  { publicKey, secret }: Identity,
  token: string | undefined,
  { log, signal, longestPauseMs }: { log: Log; signal: AbortSignal; longestPauseMs: number },
): Promise<AgentNode | undefined> => {
  if (!token)
    throw new SettingsError('AGENT_TOKEN is required until the node has enrolled; "ops node add" prints one')
  const backoff = createBackoff(longestPauseMs)
  while (!signal.aborted) {
    try {
      return await shop.enrol({ token, publicKey, secret })
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof ShopRefusal && error.status === 422)
        throw new SettingsError(
          'The shop expects the key of the server that this node takes over: give it to the agent by "take-key", as docs/importing.md says',
        )
      if (!isPassing(error))
        throw new SettingsError(
          `The shop refuses AGENT_TOKEN (${(error as ShopRefusal).status}): it is wrong, expired or used by another server, or AGENT_STATE_DIR was copied from another node`,
        )
      log.warn({ err: error }, 'The node could not enrol with the shop')
      await pause(backoff.next(), signal)
    }
  }
  return undefined
}
