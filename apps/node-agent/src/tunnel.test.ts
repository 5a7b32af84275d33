import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, describe, expect, test } from 'vitest'
import { startDevice } from './testing/device.ts'
import { createNodeRig, NODE_IPV4, NODE_IPV6 } from './testing/node-rig.ts'
import { aPeer, manyPeers } from './testing/peers.ts'

beforeAll(requireTunnels)

const withCustomer = async (driver: 'uapi' | 'wg' = 'uapi', pace = {}) => {
  const rig = await createNodeRig()
  const customer = aPeer(2)
  rig.shop.set(customer.peer)
  const agent = rig.start({ TEST_DRIVER: driver }, pace)
  await rig.holds([customer.peer])
  const end = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const machine = await startDevice(rig.namespace, rig.stateDir, customer, end)
  await until(() => machine.pings(NODE_IPV4))
  return { rig, customer, agent, machine }
}

describe.each(['uapi', 'wg'] as const)('with the driver %s', (driver) => {
  test('a customer reaches the node through the tunnel, over IPv4 and IPv6', async () => {
    const { machine } = await withCustomer(driver)
    expect(await machine.pings(NODE_IPV6)).toBe(true)
    expect(await machine.handshake()).toBeGreaterThan(0)
  })

  test('1,200 changes arrive in batches, and go again', async () => {
    const rig = await createNodeRig()
    rig.start({ TEST_DRIVER: driver })
    const first = manyPeers(1)
    rig.shop.set(...first)
    await rig.holds(first)
    const peers = manyPeers(1200)
    rig.shop.set(...peers)
    await rig.holds([...first, ...peers])
    const sizes = rig.shop.polls.map(({ answered }) => answered)
    expect(Math.max(...sizes)).toBe(500)
    rig.shop.remove(...peers)
    await rig.holds(first)
  })

  test('a key and a port that somebody sets by hand are put right', async () => {
    const { rig, customer } = await withCustomer(driver, { healMs: 300 })
    await rig.namespace.run(
      'wg',
      'set',
      rig.interfaceName,
      'listen-port',
      '51999',
      'private-key',
      '/dev/null',
    )
    const { privateKey } = JSON.parse(readFileSync(join(rig.stateDir, 'identity.json'), 'utf8'))
    await until(async () => {
      const found = await rig.read()
      return found.listenPort === rig.shop.node.listenPort && found.privateKey === privateKey
    })
    expect(await rig.keys()).toEqual([customer.peer.publicKey])
  })

  test('a peer that somebody adds or takes away by hand is put right', async () => {
    const { rig, customer, machine } = await withCustomer(driver, { healMs: 300 })
    const stranger = aPeer(9).peer
    await rig.namespace.run('wg', 'set', rig.interfaceName, 'peer', stranger.publicKey)
    await rig.holds([customer.peer])
    const before = await machine.handshake()
    expect(await machine.pings(NODE_IPV4)).toBe(true)
    expect(await machine.handshake()).toBe(before)
    await rig.namespace.run('wg', 'set', rig.interfaceName, 'peer', customer.peer.publicKey, 'remove')
    await rig.holds([customer.peer])
    await until(async () => /hedgerow_agent_healed_total [2-9]/.test(await rig.ask('/metrics')))
  })

  test('no endpoint of an idle peer is kept', async () => {
    const { rig, customer } = await withCustomer(driver, { scanMs: 200, idleMs: 1_500 })
    const reading = async () => (await rig.read()).peers.get(customer.peer.publicKey)
    expect((await reading())?.hasEndpoint).toBe(true)
    await until(async () => (await reading())?.hasEndpoint === false)
    expect(await rig.keys()).toEqual([customer.peer.publicKey])
  })
})

test('an agent that was killed goes on with live sessions as they are', async () => {
  const { rig, customer, agent, machine } = await withCustomer()
  const before = await machine.handshake()
  await agent.kill('SIGKILL')
  expect(await machine.pings(NODE_IPV4)).toBe(true)
  const { received } = (await rig.read()).peers.get(customer.peer.publicKey) ?? { received: 0 }
  const again = rig.start()
  await until(() => again.output().includes('as it should be'))
  const other = aPeer(3).peer
  rig.shop.set(other)
  await rig.holds([customer.peer, other])
  expect(await machine.pings(NODE_IPV4)).toBe(true)
  expect(await machine.handshake()).toBe(before)
  const after = (await rig.read()).peers.get(customer.peer.publicKey)
  expect(after?.received).toBeGreaterThan(received)
})

test('an interface that somebody deletes comes back with its peers', async () => {
  const { rig, customer, machine } = await withCustomer()
  await rig.namespace.run('ip', 'link', 'delete', 'dev', rig.interfaceName)
  await rig.holds([customer.peer])
  await until(async () => (await rig.ask('/healthz')).startsWith('200'))
  await machine.reconnect()
  await until(() => machine.pings(NODE_IPV4))
})

test('an interface that somebody takes down comes up', async () => {
  const { rig, machine } = await withCustomer('uapi', { watchMs: 200 })
  await rig.namespace.run('ip', 'link', 'set', 'dev', rig.interfaceName, 'down')
  await until(() => machine.pings(NODE_IPV4))
})

test('a wireguard-go that was killed is started again, with the peers', async () => {
  const { rig, customer } = await withCustomer()
  const pids = await rig.namespace.pids()
  const names = await Promise.all(
    pids.map(async (pid) => [pid, await rig.namespace.run('cat', `/proc/${pid}/comm`)] as const),
  )
  const [pid] = names.find(([, name]) => name.startsWith('wireguard-go')) ?? [0]
  expect(pid).toBeGreaterThan(0)
  process.kill(pid, 'SIGKILL')
  await until(async () => !(await rig.keys().catch(() => undefined)))
  await rig.holds([customer.peer])
})

test('the first connection of an awaited peer is reported within three seconds', async () => {
  const rig = await createNodeRig()
  const [usual, awaited] = [aPeer(2), aPeer(3, { isAwaited: true })]
  rig.shop.set(usual.peer)
  rig.start()
  await rig.holds([usual.peer])
  rig.shop.set(awaited.peer)
  await rig.holds([usual.peer, awaited.peer])
  const end = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const machine = await startDevice(rig.namespace, rig.stateDir, awaited, end)
  await until(() => machine.pings(NODE_IPV4))
  const connectedAt = Date.now()
  await until(() => rig.shop.reports.length > 0, 3_000)
  expect(Date.now() - connectedAt).toBeLessThan(3_000)
  expect(rig.shop.reports[0]).toMatchObject({ connected: [awaited.peer.id], usage: [] })
})

test('a connection is reported once a day, with numbers that grow over restarts, and bytes if the operator wants', async () => {
  const { rig, customer, agent, machine } = await withCustomer('uapi', { scanMs: 200 })
  await until(() => rig.shop.reports.length > 0)
  await agent.kill('SIGTERM')
  const [{ number = 0 } = {}] = rig.shop.reports
  expect(rig.shop.reports).toHaveLength(1)
  rig.start({ AGENT_USAGE: 'on' }, { scanMs: 200, usageMs: 500 })
  await rig.holds([customer.peer])
  await machine.reconnect()
  await until(() => machine.pings(NODE_IPV4))
  await until(() => rig.shop.reports.flatMap(({ usage }) => usage).length > 0)
  const later = rig.shop.reports.slice(1)
  expect(Math.min(...later.map((report) => report.number))).toBeGreaterThan(number)
  const [{ id, received } = { id: '', received: 0 }] = later.flatMap(({ usage }) => usage)
  expect(id).toBe(customer.peer.id)
  expect(received).toBeGreaterThan(0)
})
