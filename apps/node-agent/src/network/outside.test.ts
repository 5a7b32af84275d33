import { setTimeout } from 'node:timers/promises'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { resolverIpv6 } from '#network/own-addresses.ts'
import {
  addressOf,
  createTestNode,
  INTERNET,
  NODE,
  policy,
  type TestNode,
  UPLINK,
} from '#testing/test-node.ts'
import { openUdp } from '#testing/udp.ts'

const QUIET_MS = 300
const PORT = 7777
const MANY = 50
/** Not the neighbour's own; the neighbour sends there by way of the node. */
const FAR = { ipv4: '192.0.2.77', ipv6: '2001:db8:77::77' }
const NOBODYS = { ipv4: '10.90.99.99', ipv6: '2001:db8:90::99:99' }

describe.each(['ipv4', 'ipv6'] as const)('A neighbour on the node’s cable (%s)', (family) => {
  let node: TestNode
  const [ip, bits] = family === 'ipv4' ? (['ip', 32] as const) : (['ip6', 128] as const)

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    await node.startAgent()
    await node.ensure([policy('ann'), policy('ben'), policy('eve')])
    await until(() => node.customer('ann').pings(INTERNET[family]))
    for (const address of [addressOf('ann')[family], NOBODYS[family]])
      node.net.ip(`addr add ${address}/${bits} dev lo${family === 'ipv6' ? ' nodad' : ''}`)
    node.net.ip(`route add ${FAR[family]}/${bits} via ${UPLINK[family]}`)
    await node.net.run(
      'nft',
      `add table inet seen; add chain inet seen came { type filter hook prerouting priority -300; }
      add rule inet seen came iifname up1 ${ip} daddr ${FAR[family]} counter`,
    )
  })
  afterAll(() => node?.remove())

  const forwarded = async () =>
    Number(/packets (\d+)/.exec(await node.net.run('nft', 'list', 'table', 'inet', 'seen'))?.[1])
  const entries = async () => Number(await node.node.run('cat', '/proc/sys/net/netfilter/nf_conntrack_count'))

  const sendFrom = async (address: string) => {
    const neighbour = await openUdp(node.net, address, PORT)
    for (let i = 0; i < MANY; i++) neighbour.say('x', FAR[family], PORT + i)
    await setTimeout(QUIET_MS)
    await neighbour.close()
  }

  test.each([
    ['a customer', addressOf('ann')[family]],
    ['somebody whom the node does not know', NOBODYS[family]],
    ['nobody else', INTERNET[family]],
  ])('sends nothing through the node as %s', async (_, address) => {
    const [before, held] = [await forwarded(), await entries()]
    await sendFrom(address)
    expect(await forwarded()).toBe(before)
    expect(await entries(), 'and takes no places in its table').toBeLessThan(held + MANY / 2)
  })

  test('reaches no address of the node inside of the tunnel', async () => {
    node.net.ip(`route add ${NODE[family]}/${bits} via ${UPLINK[family]}`)
    await until(async () => (await node.net.attempt('ping', '-c', '1', '-W', '1', UPLINK[family])).code === 0)
    expect((await node.net.attempt('ping', '-c', '1', '-W', '1', NODE[family])).code).not.toBe(0)
  })

  test('keeps no customer from sending there', async () => {
    const before = await forwarded()
    const ann = await openUdp(node.machine('ann'), addressOf('ann')[family], PORT)
    ann.say('x', FAR[family], PORT)
    await until(async () => (await forwarded()) > before)
    await ann.close()
  })
})

test('A neighbour on the node’s cable answers no customer in the resolver’s place', async () => {
  requireTunnels()
  const node = await createTestNode()
  onTestFinished(() => node.remove())
  await node.startAgent()
  await node.ensure([policy('ann')])
  await until(() => node.customer('ann').ask('www.example.com'))
  const [resolver, ann] = [resolverIpv6(1), addressOf('ann').ipv6]
  node.net.ip(`addr add ${resolver}/128 dev lo nodad
    route add ${ann}/128 via ${UPLINK.ipv6} src ${resolver}`)
  const asking = await openUdp(node.machine('ann'), ann, PORT)
  const neighbour = await openUdp(node.net, resolver, 53)
  asking.say('no question that the resolver answers', INTERNET.ipv6, 53)
  await setTimeout(QUIET_MS)
  neighbour.say('forged', ann, PORT)
  await setTimeout(QUIET_MS)
  expect(asking.heard.map(({ text }) => text)).not.toContain('forged')
})
