import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEnd, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NODE_IPV4, NODE_IPV6 } from '#testing/node-rig.ts'
import { type NodeWithCustomer, withCustomer } from '#testing/node-with-customer.ts'
import { aPeer, manyPeers } from '#testing/peers.ts'

beforeAll(requireTunnels)

describe.each(['uapi', 'wg'] as const)('with the driver %s', (driver) => {
  const { atEnd, end } = createEnd()
  let node: NodeWithCustomer
  beforeAll(async () => {
    node = await withCustomer(driver, { healMs: 300 }, atEnd)
  })
  afterAll(end)
  beforeEach(async () => {
    const { rig, customer, machine } = node
    await rig.holds([customer.peer])
    await machine.reconnect()
    await until(() => machine.pings(NODE_IPV4))
  })

  test('a customer reaches the node through the tunnel, over IPv4 and IPv6', async () => {
    const { machine } = node
    await until(() => machine.pings(NODE_IPV6))
    expect(await machine.handshake()).toBeGreaterThan(0)
  })

  test('1,200 changes arrive in batches, and go again', async () => {
    const { rig, customer } = node
    const first = [customer.peer]
    const peers = manyPeers(1200)
    rig.shop.set(...peers)
    await rig.holds([...first, ...peers])
    const sizes = rig.shop.polls.map(({ answered }) => answered)
    expect(Math.max(...sizes)).toBe(500)
    rig.shop.remove(...peers)
    await rig.holds(first)
  })

  test('a key and a port that someone sets by hand are put right', async () => {
    const { rig, customer } = node
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

  test('a network that comes to be beside the node is kept from customers within seconds', async () => {
    const { rig } = node
    const neighbours = () =>
      rig.namespace.run('nft', 'list', 'set', 'inet', `hedgerow_${rig.interfaceName}`, 'neighbours4')
    const change = (what: string) =>
      rig.namespace.run('ip', 'address', what, '198.51.100.1/24', 'dev', rig.env.AGENT_UPLINK)
    await change('add')
    await until(async () => (await neighbours()).includes('198.51.100.0/24'))
    await change('delete')
    await until(async () => !(await neighbours()).includes('198.51.100.0/24'))
  })

  test('a peer that someone adds or takes away by hand is put right', async () => {
    const { rig, customer, machine } = node
    const healed = async () =>
      Number(/hedgerow_agent_healed_total (\d+)/.exec(await rig.ask('/metrics'))?.[1])
    const before = await healed()
    const stranger = aPeer(9).peer
    await rig.namespace.run('wg', 'set', rig.interfaceName, 'peer', stranger.publicKey)
    await rig.holds([customer.peer])
    const shaken = await machine.handshake()
    await until(() => machine.pings(NODE_IPV4))
    expect(await machine.handshake()).toBe(shaken)
    await rig.namespace.run('wg', 'set', rig.interfaceName, 'peer', customer.peer.publicKey, 'remove')
    await rig.holds([customer.peer])
    await until(async () => (await healed()) >= before + 2)
  })

  test('no endpoint of an idle peer is kept', async () => {
    const { rig, customer, agent } = await withCustomer(driver)
    const reading = async () => (await rig.read()).peers.get(customer.peer.publicKey)
    expect((await reading())?.hasEndpoint).toBe(true)
    await agent.kill()
    rig.start({ TEST_DRIVER: driver }, { scanMs: 200, idleMs: 1_500 })
    await until(async () => (await reading())?.hasEndpoint === false)
    expect(await rig.keys()).toEqual([customer.peer.publicKey])
  })
})
