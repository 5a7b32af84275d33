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
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { AMNEZIAWG, parametersOf } from '#device/dialect.ts'
import { converse, socketOf } from '#device/uapi-socket.ts'
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

const toHex = (key: string): string => Buffer.from(key, 'base64').toString('hex')

type Obfuscated = { program: string; obfuscation?: Obfuscation | undefined; junk?: readonly string[] }

/** The same with AmneziaWG, spoken to by its socket. `junk`: what it sends by itself before a handshake. */
export const startAmneziaDevice = async (
  node: Namespace,
  { peer, privateKey }: CustomerPeer,
  { publicKey, port, host }: { publicKey: string; port: number; host?: string },
  { program, obfuscation, junk = [] }: Obfuscated,
  atEnd?: AtEnd,
) => {
  const namespace = await createNamespace(atEnd)
  const cable = await connect(node, namespace)
  const name = randomName('wc')
  const path = socketOf(AMNEZIAWG, name)
  namespace.spawn(program, ['-f', name], { LOG_LEVEL: 'silent' })
  const set = (lines: readonly string[]) => converse(path, `set=1\n${lines.join('\n')}\n\n`)
  const theirs = `public_key=${toHex(publicKey)}`
  const endpointAt = (to: number) => `endpoint=${host ?? cable.a}:${to}`
  // It takes a moment to start.
  await until(() =>
    set([
      `private_key=${toHex(privateKey)}`,
      ...parametersOf(obfuscation),
      ...junk,
      theirs,
      `preshared_key=${toHex(peer.presharedKey)}`,
      'allowed_ip=0.0.0.0/0',
      'allowed_ip=::/0',
      endpointAt(port),
    ]).then(
      () => true,
      () => false,
    ),
  )
  namespace.ip(
    `address add ${peer.ipv4}/16 dev ${name}
    address add ${peer.ipv6}/112 dev ${name}
    link set ${name} mtu 1280 up`,
  )
  return {
    ...customerIn(namespace, cable.a),
    namespace,
    cable,
    name,
    /** Its packets go to another port from now on. */
    goTo: (to: number) => set([theirs, 'update_only=true', endpointAt(to)]),
  }
}
