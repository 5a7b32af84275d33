import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ShopPeer } from '@hedgerow/contract/agents'
import { type AtEnd, atEndOfTest, connect, createNamespace, randomName } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { AMNEZIAWG, WIREGUARD } from '#device/dialect.ts'
import { createUapiDriver } from '#device/uapi-driver.ts'
import { converse, socketOf } from '#device/uapi-socket.ts'
import type { Timings } from '#runtime/timings.ts'
import { startAgentProcess, without } from '#testing/agent-process.ts'
import { bundled } from '#testing/bundled.ts'
import { startProtocolShop } from '#testing/protocol-shop.ts'

export const NODE_IPV4 = '10.64.0.1'
export const NODE_IPV6 = 'fd64:6865:6467::1'

/** A node's server in a namespace, with a shop that it can reach, and no agent yet. */
export const createNodeRig = async (atEnd: AtEnd = atEndOfTest, obfuscation?: Obfuscation) => {
  const stateDir = await mkdtemp(join(tmpdir(), 'hedgerow-agent-'))
  // What is asked for first is done last: programs write there until they have ended.
  atEnd(() => rm(stateDir, { recursive: true }))
  const namespace = await createNamespace(atEnd)
  const cable = await connect(namespace)
  namespace.ip(`route add default via ${cable.b}`)
  const token = randomBytes(32).toString('base64url')
  const node = {
    id: crypto.randomUUID(),
    name: 'test',
    listenPort: 51820,
    oldPorts: [] as number[],
    secondPort: undefined as number | undefined,
    mtu: null as number | null,
    obfuscation,
    shopPeer: undefined as ShopPeer | undefined,
    ipv4: '10.64.0.0/16',
    ipv6: 'fd64:6865:6467::/112',
    shop: { name: 'Hedgerow', renewUrl: 'https://shop.example/products' },
  }
  const shop = await startProtocolShop(cable.b, node, token, atEnd)
  const interfaceName = randomName('wn')
  const env = {
    AGENT_API_URL: shop.url,
    AGENT_TOKEN: token,
    AGENT_STATE_DIR: stateDir,
    AGENT_INTERFACE: interfaceName,
    AGENT_UPLINK: cable.nameA,
    AGENT_METRICS_PORT: '9465',
    AGENT_LOG_LEVEL: 'info',
  }
  const program = await bundled('./run-variant.ts')
  const dialect = obfuscation ? AMNEZIAWG : WIREGUARD
  const path = socketOf(dialect, interfaceName)
  const driver = createUapiDriver(dialect, path)
  /** Keys of the device's peers, without the agent's own; undefined while there is no device. */
  const keys = async () =>
    [...(await driver.read()).peers]
      .flatMap(([key, { allowedIps }]) => (allowedIps.some((one) => one.startsWith('198.18.')) ? [] : [key]))
      .sort()
  return {
    namespace,
    stateDir,
    shop,
    interfaceName,
    env,
    read: driver.read,
    /** As someone on the server might. */
    spoil: (line: string) => converse(path, `set=1\n${line}\n\n`),
    keys,
    /** Resolves when the device holds these peers and no others. */
    holds: (peers: readonly { publicKey: string }[], withinMs?: number) => {
      const wanted = peers.map(({ publicKey }) => publicKey).sort()
      return until(async () => JSON.stringify(await keys()) === JSON.stringify(wanted), withinMs)
    },
    start: (more: Record<string, string> = {}, timings: Partial<Timings> = {}, missing?: string) =>
      startAgentProcess(
        namespace,
        {
          ...env,
          ...more,
          TEST_TIMINGS: JSON.stringify({ lookMs: 1_000, secondLookMs: 200, ...timings }),
        },
        missing ? without(missing, [process.execPath, program]) : [process.execPath, program],
      ),
    /** The customers in the firewall. */
    marks: () => namespace.run('nft', 'list', 'map', 'inet', `hedgerow_${interfaceName}`, 'customers4'),
    /** What the agent says of itself. */
    ask: async (path: string) => {
      const reply = await namespace.run('curl', '-sS', '-w', '\n%{http_code}', `http://127.0.0.1:9465${path}`)
      const end = reply.lastIndexOf('\n')
      return `${reply.slice(end + 1)} ${reply.slice(0, end)}\n`
    },
  }
}

export type NodeRig = Awaited<ReturnType<typeof createNodeRig>>
