import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, createNamespace, type Namespace, randomName } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import type { CustomerPeer } from './peers.ts'

/** A customer's machine, with a tunnel to the node. */
export const startCustomer = async (
  node: Namespace,
  folder: string,
  { peer, privateKey }: CustomerPeer,
  { publicKey, port }: { publicKey: string; port: number },
) => {
  const namespace = await createNamespace()
  const cable = await connect(node, namespace)
  const device = randomName('wc')
  namespace.spawn('wireguard-go', ['-f', device], { LOG_LEVEL: 'silent' })
  const file = join(folder, `${device}.conf`)
  await writeFile(
    file,
    `[Interface]\nPrivateKey=${privateKey}\n[Peer]\nPublicKey=${publicKey}\nPresharedKey=${peer.presharedKey}\n` +
      `AllowedIPs=0.0.0.0/0,::/0\nEndpoint=${cable.a}:${port}\n`,
    { mode: 0o600 },
  )
  await until(async () => (await namespace.run('wg', 'setconf', device, file)) === '')
  await namespace.run('ip', 'address', 'add', `${peer.ipv4}/16`, 'dev', device)
  await namespace.run('ip', 'address', 'add', `${peer.ipv6}/112`, 'dev', device)
  await namespace.run('ip', 'link', 'set', 'dev', device, 'mtu', '1420', 'up')
  return {
    namespace,
    device,
    ping: (address: string) =>
      namespace.run('ping', '-c', '1', '-W', '1', address).then(Boolean, () => false),
    /** Begins a new session at once, which it would do by itself after 15 s without an answer. */
    reconnect: () => namespace.run('wg', 'setconf', device, file),
    /** Unix seconds of the last handshake. */
    handshake: async () =>
      Number((await namespace.run('wg', 'show', device, 'latest-handshakes')).trim().split('\t')[1]),
  }
}
