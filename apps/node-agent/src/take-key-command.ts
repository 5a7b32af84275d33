import { text } from 'node:stream/consumers'
import { WIREGUARD_KEY } from '@hedgerow/domain/public-keys'
import { publicKeyOf } from '@hedgerow/wireguard/keys'
import { SettingsError } from '#settings.ts'
import { takeKey } from '#state/identity.ts'

const IN_FILE = /^\s*PrivateKey\s*=\s*(\S+)\s*(?:#.*)?$/gim

/** A bare key, or the one of a WireGuard server's file; undefined where there is none, or more than one. */
const keyIn = (written: string): string | undefined => {
  const found = [...written.matchAll(IN_FILE)].map(([, key]) => key ?? '')
  const [key, ...others] = found.length > 0 ? found : [written.trim()]
  return others.length === 0 && key !== undefined && WIREGUARD_KEY.test(key) ? key : undefined
}

/**
 * Before the first start: the node takes over a server whose devices know its key. The file comes by the standard input, so that
 * only root has to be able to read it, and its content is never said. Returns the exit code.
 */
export const runTakeKeyCommand = async (stateDir: string, input: NodeJS.ReadableStream): Promise<number> => {
  const key = keyIn(await text(input))
  if (key === undefined)
    throw new SettingsError(
      'There is no private key of a WireGuard server in what was given; nothing was changed',
    )
  await takeKey(stateDir, key)
  console.log(`The agent has the server's key. Its public half: ${publicKeyOf(key)}`)
  return 0
}
