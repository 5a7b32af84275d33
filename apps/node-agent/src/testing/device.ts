import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AtEnd,
  connect,
  createNamespace,
  type Namespace,
  randomName,
} from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { customerIn } from '#testing/customer.ts'
import type { CustomerPeer } from '#testing/peers.ts'

/** A device with WireGuard and no configuration yet, in a namespace of its own behind its own cable to a node. */
export const createDevice = async (node: Namespace, folder: string, atEnd?: AtEnd) => {
  const namespace = await createNamespace(atEnd)
  const cable = await connect(node, namespace)
  const name = randomName('wc')
  namespace.spawn('wireguard-go', ['-f', name], { LOG_LEVEL: 'silent' })
  const { run } = namespace
  const setconf = (file: string) => run('wg', 'setconf', name, file)
  const file = join(folder, `${name}.conf`)
  return {
    namespace,
    cable,
    name,
    /** Takes a configuration in WireGuard's own words, and addresses with their prefix lengths. */
    configure: async (text: string, addresses: readonly string[]): Promise<void> => {
      await writeFile(file, text, { mode: 0o600 })
      // It takes a moment to start.
      await until(() => run('wg', 'show', name).catch(() => ''))
      await setconf(file)
      await run('ip', 'address', 'flush', 'dev', name)
      namespace.ip(addresses.map((address) => `address add ${address} dev ${name}`).join('\n'))
      await run('ip', 'link', 'set', 'dev', name, 'mtu', '1420', 'up')
    },
    /** Begins a new session at once, which it would do by itself after 15 s without an answer. */
    reconnect: () => setconf(file),
    /** Unix seconds of the last handshake. */
    handshake: async (): Promise<number> =>
      Number((await run('wg', 'show', name, 'latest-handshakes')).trim().split('\t')[1]),
  }
}

/** A customer's device with a tunnel to the node, without the shop. */
export const startDevice = async (
  node: Namespace,
  folder: string,
  { peer, privateKey }: CustomerPeer,
  { publicKey, port }: { publicKey: string; port: number },
  atEnd?: AtEnd,
) => {
  const device = await createDevice(node, folder, atEnd)
  await device.configure(
    `[Interface]\nPrivateKey=${privateKey}\n[Peer]\nPublicKey=${publicKey}\nPresharedKey=${peer.presharedKey}\n` +
      `AllowedIPs=0.0.0.0/0,::/0\nEndpoint=${device.cable.a}:${port}\n`,
    [`${peer.ipv4}/16`, `${peer.ipv6}/112`],
  )
  return { ...device, ...customerIn(device.namespace, device.cable.a) }
}
