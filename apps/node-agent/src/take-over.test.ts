import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aClient, aServer, wgEasyJson, wgQuickFile } from '@hedgerow/api/testing/imports'
import { opsSettings, runOps } from '@hedgerow/api/testing/ops'
import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import { createEnd, requireTunnels } from '@hedgerow/testing/namespaces'
import { fewOrAll } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import { afterAll, expect, test } from 'vitest'
import { classLines } from '#network/shaper.ts'
import { takeKey } from '#state/identity.ts'
import { createDevice } from '#testing/device.ts'
import { INTERNET, type Place, pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const SLOW_MS = 240_000
const shop = shopOfFile()

// Devices are made while the file's hooks run, where no other hook can be added.
const { atEnd, end } = createEnd()
afterAll(end)

type Device = Awaited<ReturnType<typeof createDevice>> & {
  /** How the pings went up to now. */
  pings: () => { sent: number; lost: number }
}
type Old = { server: ReturnType<typeof aServer>; clients: readonly ReturnType<typeof aClient>[] }

/** WireGuard as wg-quick starts it, from the file that wg-easy writes. */
const startOldServer = async (
  { server, clients }: Old,
  { node, folder, interfaceName, uplink, stateDir }: Place,
) => {
  const file = join(folder, `${interfaceName}.conf`)
  await writeFile(file, wgQuickFile(server, clients), { mode: 0o600 })
  node.spawn('wireguard-go', ['-f', interfaceName], { LOG_LEVEL: 'silent' })
  await until(() => node.run('wg', 'show', interfaceName).catch(() => ''))
  const stripped = join(folder, 'stripped.conf')
  await writeFile(stripped, await node.run('wg-quick', 'strip', file), { mode: 0o600 })
  await node.run('wg', 'setconf', interfaceName, stripped)
  await node.run('ip', 'address', 'add', '10.8.0.1/24', 'dev', interfaceName)
  await node.run('ip', 'link', 'set', 'dev', interfaceName, 'mtu', '1420', 'up')
  await node.run('sysctl', '-q', '-w', 'net.ipv4.ip_forward=1')
  await node.run('nft', 'add table ip old')
  await node.run('nft', 'add chain ip old out { type nat hook postrouting priority srcnat; }')
  await node.run('nft', `add rule ip old out oifname ${uplink} masquerade`)
  // Queues as of the agent: while one takes the place of another the kernel drops what is sent, for some milliseconds (010).
  for (const [device, side] of [
    [interfaceName, 'tunnel'],
    [uplink, 'uplink'],
  ] as const)
    for (const line of classLines(device, side, { bandwidthMbit: 1000, prioritySharePercent: 80 }))
      await node.run('tc', ...line.split(' '))
  await mkdir(stateDir, { recursive: true })
  await writeFile(join(stateDir, 'interfaces'), `${uplink}\n`)
}

/** With the file that wg-easy gave it, which nobody changes. Pings ten times a second. */
const startDeviceOf = async (
  { server }: Old,
  { node, folder }: Place,
  one: Old['clients'][number],
): Promise<Device> => {
  const device = await createDevice(node, folder, atEnd)
  const { namespace, cable, name } = device
  await device.configure(
    `[Interface]\nPrivateKey=${one.privateKey}\n[Peer]\nPublicKey=${server.publicKey}\nPresharedKey=${one.presharedKey}\n` +
      `AllowedIPs=0.0.0.0/0,::/0\nEndpoint=${cable.a}:51820\n`,
    [`${one.ipv4}/24`],
  )
  await namespace.run('ip', 'route', 'replace', 'default', 'dev', name)
  await until(async () => (await namespace.attempt('ping', '-c', '1', '-W', '2', INTERNET.ipv4)).code === 0)
  const child = namespace.spawn('ping', ['-i', '0.1', INTERNET.ipv4], {})
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  const pings = () => {
    // Not by ping's own sum: the last one is under way.
    const answered = new Set([...output.matchAll(/icmp_seq=(\d+) ttl/g)].map(([, number]) => Number(number)))
    const sent = Math.max(0, ...answered)
    return { sent, lost: sent - answered.size }
  }
  return { ...device, pings }
}

const MORE_CLIENTS = fewOrAll(0, 17)

/** A server of another panel with its devices, which pings go through, and the node that is to take it over. */
const aServerTakenOver = (
  name: string,
  host: string,
  more = 0,
  before: (place: Place) => Promise<void> = async () => undefined,
) => {
  const old = {
    server: aServer(),
    clients: [
      ...[aClient(`${name}@example.org`, 2), aClient('Laptop', 3), aClient('Router', 9)],
      ...Array.from({ length: more }, (_, at) => aClient(`Phone ${at + 1}`, 20 + at)),
    ],
  }
  const devices: Device[] = []
  const path = pathOfFile(shop, {}, undefined, async (place) => {
    await startOldServer(old, place)
    for (const one of old.clients) devices.push(await startDeviceOf(old, place, one))
    const file = join(place.folder, 'wg0.json')
    await writeFile(file, wgEasyJson(old.server, old.clients), { mode: 0o600 })
    const to = ['--node', name, '--endpoint', `${host}:51820`, '--days', '30', '--yes', '--json']
    const { json, err } = await runOps(
      { ...opsSettings(shop), ...shop.env },
      'import',
      'wg-easy',
      file,
      ...to,
    )
    expect(err).toBe('')
    await takeKey(place.stateDir, old.server.privateKey)
    await before(place)
    const { id } = await shop.db
      .selectFrom('nodes')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return { id, name, token: json.token }
  })
  return { ...old, devices, path }
}

const running = aServerTakenOver('running', '198.51.100.7', MORE_CLIENTS)
/** What wg showed of where its devices are. */
let endpoints = ''
const stopped = aServerTakenOver('stopped', '198.51.100.8', 0, async ({ node, interfaceName }) => {
  endpoints = await node.run('wg', 'show', interfaceName, 'endpoints')
  await node.run('ip', 'link', 'delete', interfaceName)
})

const isThere = ({ path, clients }: typeof running) =>
  path.holds(clients.map(({ publicKey }) => ({ public_key: publicKey })))

const expectNoneLost = async () => {
  const before = running.devices.map(({ pings }) => pings().sent)
  for (const [at, { pings }] of running.devices.entries()) {
    await until(async () => pings().sent > (before[at] ?? 0) + 20)
    // An answer may come after the next one's. One that is lost never comes.
    await until(async () => pings().lost === 0)
  }
}

test('an agent takes over a server that runs, and gives it back, and no device loses a ping or changes anything', {
  timeout: SLOW_MS,
}, async () => {
  const { path, devices, clients } = running
  await until(path.isCaughtUp)
  expect(await isThere(running)).toBe(clients.length)
  await expectNoneLost()
  // Whatever resolver its file names: the public one, and the server itself.
  for (const resolver of ['1.1.1.1', '10.8.0.1'])
    await until(async () => {
      const asked = await devices[0]?.namespace.attempt('dig', '+short', `@${resolver}`, 'update.example.com')
      return asked?.out.trim() === INTERNET.ipv4
    })
  // As install-agent.sh --uninstall --tunnel does it: the agent before its node, or it would take the peers away.
  await path.stopAgent()
  for (const guard of await path.node.pids('nft')) process.kill(guard)
  await until(async () => (await path.node.pids('nft')).length === 0)
  await path.node.run('nft', 'delete', 'table', 'inet', `hedgerow_${path.interfaceName}`)
  const back = ['import', 'undo', 'running', '--yes', '--json']
  const { json } = await runOps({ ...opsSettings(shop), ...shop.env }, ...back)
  expect(json).toMatchObject({ connections: clients.length })
  await expectNoneLost()
})

test('where the old server has to stop first, its devices are found again as soon as the node is up', {
  timeout: SLOW_MS,
}, async () => {
  const { path, devices, clients } = stopped
  await until(path.isCaughtUp)
  expect(await isThere(stopped)).toBe(clients.length)
  // As docs/importing.md has it: the node begins sessions where its devices were last.
  const ask = (keepalive: string) =>
    Promise.all(
      endpoints
        .trim()
        .split('\n')
        .map((line) => {
          const [key = '', at = ''] = line.split('\t')
          return path.node.run(
            'wg',
            'set',
            path.interfaceName,
            'peer',
            key,
            'endpoint',
            at,
            'persistent-keepalive',
            keepalive,
          )
        }),
    )
  await ask('1')
  for (const { namespace, pings } of devices) {
    await until(async () => (await namespace.attempt('ping', '-c', '1', '-W', '1', INTERNET.ipv4)).code === 0)
    const { sent, lost } = pings()
    expect(lost).toBeLessThan(sent)
  }
  await ask('0')
})
