import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnnouncedNode, announceNode } from '@hedgerow/api/testing/nodes'
import { aPurchase, connectionsOf } from '@hedgerow/api/testing/payments'
import type { TestShop } from '@hedgerow/api/testing/test-shop'
import type { Connection } from '@hedgerow/contract/connections'
import { hostOf } from '@hedgerow/domain/node-places'
import {
  type AtEnd,
  connect,
  createEnd,
  createNamespace,
  type Namespace,
  randomName,
} from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { configText } from '@hedgerow/wireguard/config-text'
import { afterAll, beforeAll } from 'vitest'
import type { Timings } from '#runtime/timings.ts'
import { startAgentProcess } from '#testing/agent-process.ts'
import { bundled } from '#testing/bundled.ts'
import { customerIn } from '#testing/customer.ts'
import { createDevice } from '#testing/device.ts'

/** Public-looking addresses (RFC 5737, RFC 3849): what customers reach through the node, and the node itself. */
export const INTERNET = { ipv4: '203.0.113.10', ipv6: '2001:db8::10' }
const NODE_ADDRESS = '198.51.100.7'

/** The shop listens on the machine's own loopback; a node in a namespace comes to it through this. */
const openDoor = async (host: string, port: number, atEnd: AtEnd): Promise<number> => {
  const server = createServer((socket) => {
    const inner = dial(port, '127.0.0.1')
    socket.pipe(inner).pipe(socket)
    for (const one of [socket, inner])
      one.on('error', () => one.destroy()).on('close', () => socket.destroy())
  })
  server.listen(0, host)
  await once(server, 'listening')
  atEnd(async () => void server.close())
  return (server.address() as AddressInfo).port
}

/** An internet of one host, which answers ping, HTTP and every name. */
const makeInternet = async (node: Namespace, atEnd: AtEnd) => {
  const internet = await createNamespace(atEnd)
  const cable = await connect(node, internet)
  await internet.run('ip', 'address', 'flush', 'dev', cable.nameB)
  await node.run('ip', 'address', 'flush', 'dev', cable.nameA)
  await internet.run('ip', 'address', 'add', `${INTERNET.ipv4}/24`, 'dev', cable.nameB)
  await internet.run('ip', 'address', 'add', `${INTERNET.ipv6}/64`, 'dev', cable.nameB, 'nodad')
  await node.run('ip', 'address', 'add', '203.0.113.1/32', 'dev', cable.nameA)
  await node.run('ip', 'address', 'add', '2001:db8::1/128', 'dev', cable.nameA, 'nodad')
  // Nothing is beside the node, as at many providers: all of the internet is behind the router.
  for (const [to, via] of [
    ['default', INTERNET.ipv4],
    ['::/0', INTERNET.ipv6],
  ] as const)
    await node.run('ip', 'route', 'add', to, 'via', via, 'dev', cable.nameA, 'onlink')
  const start = async (script: string, ...args: string[]) => {
    const file = fileURLToPath(new URL(script, import.meta.url))
    const child = internet.spawn(process.execPath, [file, ...args], {})
    child.stderr?.on('data', (text) => console.error(String(text)))
  }
  await start('internet.ts', 'dns', '80')
  await start('sender.ts', 'serve', '9000')
  await internet.run('ip', 'route', 'add', 'default', 'via', '203.0.113.1')
  return {
    uplink: cable.nameA,
    /** What it sends arrives as it is on a real cable, and not several packets as one. */
    sendSinglePackets: () => internet.run('ip', 'link', 'set', 'dev', cable.nameB, 'gso_max_segs', '1'),
  }
}

/** A customer's device with a configuration exactly as it was sold. */
const addDevice = async (node: Namespace, folder: string, connection: Connection) => {
  const { namespace, cable, name, configure, handshake } = await createDevice(node, folder)
  const { run } = namespace
  await run('ip', 'route', 'add', `${hostOf(connection.endpoint)}/32`, 'via', cable.a)
  const use = async (one: Connection): Promise<void> => {
    const file = join(folder, `${name}.sold.conf`)
    await writeFile(file, configText(one, 15), { mode: 0o600 })
    await configure(await run('wg-quick', 'strip', file), one.address.split(', '))
    await run('ip', 'route', 'replace', 'default', 'dev', name)
    await run('ip', '-6', 'route', 'replace', 'default', 'dev', name)
  }
  await use(connection)
  return { ...customerIn(namespace, connection.dns), use, handshake }
}

/**
 * A computer with Linux whose network already has a route to all of 10.0.0.0/8, as in some hotels, and the file that was
 * sold, for wg-quick. That sets the resolver by `resolvconf`, which a namespace cannot have.
 */
const addComputer = async (node: Namespace, folder: string, { dns }: Connection) => {
  const namespace = await createNamespace()
  const cable = await connect(node, namespace)
  for (const network of ['default', '10.0.0.0/8'])
    await namespace.run('ip', 'route', 'add', network, 'via', cable.a)
  const programs = join(folder, 'programs')
  await mkdir(programs, { recursive: true })
  // It reads what it is given: wg-quick dies of a pipe that nobody reads.
  await writeFile(join(programs, 'resolvconf'), '#!/bin/sh\ncat >/dev/null\n', { mode: 0o755 })
  const file = join(folder, `${randomName('wq')}.conf`)
  return {
    ...customerIn(namespace, dns),
    up: async (sold: Connection) => {
      await writeFile(file, configText(sold, 15), { mode: 0o600 })
      const environment = [`PATH=${programs}:/usr/sbin:/usr/bin`, 'LOG_LEVEL=silent']
      return namespace.attempt('env', ...environment, 'wg-quick', 'up', file)
    },
  }
}

/** What an agent does more often than it needs to, so that tests need not wait. */
const TIMINGS: Partial<Timings> = {
  scanMs: 1000,
  longestPauseMs: 1000,
  watchMs: 500,
  lookMs: 1000,
  secondLookMs: 300,
  listsReadAfterMs: 5000,
}

const AGENT_ENV = {
  AGENT_METRICS_PORT: '9465',
  AGENT_PROBE_URL: `http://${INTERNET.ipv4}/`,
  AGENT_LOG_LEVEL: 'warn',
  TEST_TIMINGS: JSON.stringify(TIMINGS),
  TEST_STUBS: JSON.stringify(['com', 'net', 'org'].map((zone) => ({ zone, address: INTERNET.ipv4 }))),
}

const writeLists = async (folder: string): Promise<string> => {
  const listsDir = join(folder, 'lists')
  await mkdir(listsDir)
  await writeFile(join(listsDir, 'ads.txt'), '0.0.0.0 ads.example.com\n||tracker.example.net^\n')
  return listsDir
}

type Shop = Pick<TestShop, 'url' | 'db' | 'call' | 'settings' | 'sandbox'>

const nodeRow = ({ db }: Shop, id: string) =>
  db.selectFrom('nodes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const isCaughtUp = async (shop: Shop, id: string): Promise<boolean> => {
  const unsent = await shop.db
    .selectFrom('peers')
    .select('id')
    .where('node_id', '=', id)
    .where('revision', 'is', null)
    .execute()
  const { revision, applied_revision } = await nodeRow(shop, id)
  return unsent.length === 0 && revision === applied_revision
}

/** A server before its agent comes. */
export type Place = {
  node: Namespace
  folder: string
  interfaceName: string
  uplink: string
  stateDir: string
  endpoint: string
}
type Announce = (place: Place) => Promise<AnnouncedNode>

/**
 * A node of a shop, in a namespace, with the agent's own program and an internet behind it. What is bought through the
 * shop's own doors is put on devices in front of it, each in a namespace of its own.
 */
const openPath = async (
  shop: Shop,
  more: Record<string, string>,
  atEnd: AtEnd,
  command?: () => readonly [string, ...string[]],
  announce: Announce = ({ endpoint }) => announceNode(shop, { endpoint, ipv4: '10.66.0.0/20' }),
) => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-path-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const node = await createNamespace(atEnd)
  await node.run('ip', 'address', 'add', `${NODE_ADDRESS}/32`, 'dev', 'lo')
  const { uplink, sendSinglePackets } = await makeInternet(node, atEnd)
  const wayToShop = await connect(node)
  const port = await openDoor(wayToShop.b, Number(new URL(shop.url).port), atEnd)
  const interfaceName = randomName('wn')
  const place = { node, folder, interfaceName, uplink, stateDir: join(folder, 'state') }
  const { id, name, token } = await announce({ ...place, endpoint: `${NODE_ADDRESS}:51820` })
  const env = {
    AGENT_API_URL: `http://${wayToShop.b}:${port}`,
    AGENT_TOKEN: token,
    AGENT_STATE_DIR: place.stateDir,
    AGENT_LISTS_DIR: await writeLists(folder),
    AGENT_INTERFACE: interfaceName,
    AGENT_UPLINK: uplink,
    ...AGENT_ENV,
    ...more,
  }
  const program = await bundled('./run-variant.ts')
  const start = () => startAgentProcess(node, env, command?.() ?? [process.execPath, program])
  let agent = start()
  // Nothing is sold there before the agent has got through it as a customer.
  await until(async () => (await nodeRow(shop, id)).faults === '', 100_000).catch((error) => {
    throw new Error(`${error.message}\n${agent.output()}`)
  })
  const profileOf = async (token: string): Promise<Connection[]> =>
    (await shop.call('GET', '/api/v1/user/profile', { token })).body.connections
  const peers = async (): Promise<string[]> =>
    (await node.run('wg', 'show', interfaceName, 'peers').catch(() => '')).split('\n').filter(Boolean)
  return {
    node,
    name,
    row: () => nodeRow(shop, id),
    stateDir: env.AGENT_STATE_DIR,
    output: () => agent.output(),
    interfaceName,
    /** Where the node is for programs of this machine, such as the shop, and the interface that they come by. */
    fromShop: { address: wayToShop.a, interfaceName: wayToShop.nameA },
    sendSinglePackets,
    /** Ends the agent as a power cut does, and starts it again. */
    restartAgent: async () => {
      await agent.kill()
      agent = start()
    },
    /** Ends it, and starts it only when that is called. */
    stopAgent: async () => {
      await agent.kill()
      return () => {
        agent = start()
      }
    },
    /** Pulls or plugs the cable between the node and the shop. */
    plug: (state: 'up' | 'down') => node.run('ip', 'link', 'set', 'dev', wayToShop.nameA, state),
    /** All that was changed so far has been sent to the node, and done there. */
    isCaughtUp: () => isCaughtUp(shop, id),
    /** How many of these keys the node's interface has. */
    holds: async (keys: readonly { public_key: string }[]): Promise<number> => {
      const there = await peers()
      return keys.filter(({ public_key }) => there.includes(public_key)).length
    },
    /** A purchase, and a device with the first of its connections. */
    buy: async (choice: Parameters<typeof aPurchase>[1] = {}) => {
      // On a machine that is busy the agent may say for a moment that something fails, and the demonstration node serves.
      const { customer, paymentId, keys } = await until(async () => {
        const bought = await aPurchase(shop, choice)
        const keys = await connectionsOf(shop, bought.paymentId)
        const { is_demonstration } = await nodeRow(shop, keys[0]?.node_id ?? '')
        return !is_demonstration && { ...bought, keys }
      })
      const profile = () => profileOf(customer.token)
      const [connection] = (await profile()) as [Connection]
      const device = await addDevice(node, folder, connection)
      return { customer, paymentId, connection, keys, device, profile }
    },
    /** For another device with a connection that was bought. */
    computer: (connection: Connection) => addComputer(node, folder, connection),
  }
}

export type Path = Awaited<ReturnType<typeof openPath>>

/** One path for all tests of a file. To be called where they are listed, and used inside them. */
export const pathOfFile = (
  shop: Shop,
  more: Record<string, string> = {},
  command?: () => readonly [string, ...string[]],
  announce?: Announce,
): Path => {
  let path: Path | undefined
  const { atEnd, end } = createEnd()
  beforeAll(async () => {
    path = await openPath(shop, more, atEnd, command, announce)
  })
  afterAll(end)
  return new Proxy({} as Path, {
    get: (_, name) => {
      if (!path) throw new Error('The path is open only while the tests run')
      return Reflect.get(path, name)
    },
  })
}
