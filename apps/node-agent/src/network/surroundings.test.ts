import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { waysOut } from '#network/routes.ts'
import { tooSmall, tunnelMtuFor } from '#network/surroundings.ts'
import { createNodeRig, type NodeRig } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'
import { createTestNode, INTERNET, policy } from '#testing/test-node.ts'

test.each([
  [[1500], 1420],
  [[1500, 1460], 1380],
  [[9001], 1420],
  [[1300], 1280],
  [[], 1420],
])('uplinks that take %j bytes leave %i to the tunnel', (uplinks, tunnel) => {
  expect(tunnelMtuFor(uplinks)).toBe(tunnel)
})

test.each([
  [1280, [1340], []],
  [
    1280,
    [1500, 1300],
    ['1300 bytes, and a tunnel with an MTU of 1280 needs 1340: give the interface or route a larger MTU.'],
  ],
  [
    1420,
    [1400],
    [
      '1400 bytes, and a tunnel with an MTU of 1420 needs 1480: give the interface or route a larger MTU, or set a smaller AGENT_MTU.',
    ],
  ],
])(
  'a tunnel of %i bytes over uplinks that take %j is said to be too large for them: %j',
  (tunnel, uplinks, says) => {
    expect(tooSmall(tunnel, uplinks)).toEqual(
      says.map((text) => `The way to the internet carries packets of ${text}`),
    )
  },
)

test('ways out are default routes, whole, in halves or over several links, but not the tunnel’s own', () => {
  const routes = [
    { dst: 'default', gateway: '192.0.2.1', dev: 'eth0', metrics: [{ mtu: 1400 }] },
    { dst: '0.0.0.0/1', dev: 'ppp0' },
    { dst: 'default', nexthops: [{ dev: 'eth1' }, { dev: 'eth2' }] },
    { dst: 'default', dev: 'wg0' },
    { type: 'unreachable', dst: 'default', dev: 'lo' },
    { dst: '198.51.100.0/24', dev: 'eth3' },
  ]
  expect(waysOut(routes, 'wg0')).toEqual({ devices: ['eth0', 'ppp0', 'eth1', 'eth2'], mtus: [1400] })
})

describe('An agent', () => {
  beforeAll(requireTunnels)

  const mtuOf = ({ namespace, interfaceName }: NodeRig) =>
    namespace.run('cat', `/sys/class/net/${interfaceName}/mtu`).catch(() => '')
  const hasMtu = (rig: NodeRig, mtu: number) => until(async () => Number(await mtuOf(rig)) === mtu)
  const setUplink = ({ namespace, env }: NodeRig, ...how: string[]) =>
    namespace.run('ip', 'link', 'set', 'dev', env.AGENT_UPLINK, ...how)

  test('gives the tunnel the MTU that its uplink has room for, also when that changes', async () => {
    const rig = await createNodeRig()
    await setUplink(rig, 'mtu', '1460')
    rig.start({}, { watchMs: 200 })
    await hasMtu(rig, 1380)
    await setUplink(rig, 'mtu', '1500')
    await hasMtu(rig, 1420)
    rig.namespace.ip(`route add 192.0.0.0/2 dev ${rig.env.AGENT_UPLINK} mtu 1400`)
    await hasMtu(rig, 1320)
  })

  test('gives it the MTU that the shop says, as long as it does', async () => {
    const rig = await createNodeRig()
    rig.start({}, { watchMs: 200 })
    await hasMtu(rig, 1420)
    for (const [mtu, found] of [
      [1300, 1300],
      [null, 1420],
    ] as const) {
      rig.shop.node.mtu = mtu
      rig.shop.set(aPeer(2).peer)
      await hasMtu(rig, found)
    }
  })

  test('gives it the MTU that the operator has set', async () => {
    const rig = await createNodeRig()
    rig.start({ AGENT_MTU: '1300' }, { watchMs: 200 })
    await hasMtu(rig, 1300)
    rig.shop.node.mtu = 1400
    const { peer } = aPeer(2)
    rig.shop.set(peer)
    await rig.holds([peer])
    await setUplink(rig, 'mtu', '1350')
    await until(async () => /^503 .* an MTU of 1300 needs 1360/.test(await rig.ask('/healthz')))
  })

  test('says that there is no default route or no such uplink, and goes on when there is one', async () => {
    const rig = await createNodeRig()
    rig.namespace.ip('route delete default')
    const [peer] = [aPeer(2).peer]
    rig.shop.set(peer)
    const agent = rig.start({ AGENT_UPLINK: '' }, { watchMs: 200 })
    await rig.holds([peer])
    await until(async () =>
      /^503 .* This server has no default route, so that customers reach nothing\./.test(
        await rig.ask('/healthz'),
      ),
    )
    rig.namespace.ip(`route add default dev ${rig.env.AGENT_UPLINK}`)
    await until(async () => (await rig.ask('/healthz')).startsWith('200'))
    await agent.kill('SIGTERM')
    rig.start({ AGENT_UPLINK: 'eth9' }, { watchMs: 200 })
    await until(async () =>
      (await rig.ask('/healthz').catch(() => '')).includes(
        'There is no interface eth9, which AGENT_UPLINK names.',
      ),
    )
    await rig.namespace.run('ip', 'link', 'add', 'eth9', 'type', 'bridge')
    await until(async () => (await rig.ask('/healthz')).startsWith('200'))
  })
})

test('Customers reach IPv4 and IPv6 by different uplinks, and by others when the routes change', async () => {
  requireTunnels()
  const node = await createTestNode({ uplink: undefined })
  onTestFinished(() => node.remove())
  node.node.ip(`link add up2 type veth peer name up3 netns ${node.net.name}
    link set up2 up
    addr add 2001:db8::3/128 dev up2 nodad
    addr add 203.0.113.3/32 dev up2
    route del ::/0 dev up0`)
  node.net.ip(`link set up3 up
    addr add 2001:db8::5/128 dev up3 nodad
    route add 2001:db8::3/128 dev up3
    route add 203.0.113.3/32 dev up3`)
  node.node.ip('route add ::/0 via 2001:db8::5 dev up2 onlink')
  await node.startAgent()
  await node.ensure([policy('ann')])
  const ann = node.customer('ann')
  const queues = async () =>
    [...(await node.node.run('tc', 'qdisc', 'show')).matchAll(/htb 1: dev (\S+) root/g)].map(
      ([, device]) => device,
    )
  await until(() => ann.pings(INTERNET.ipv4))
  await until(() => ann.pings(INTERNET.ipv6))
  expect((await queues()).sort()).toEqual(['up0', 'up2', 'wg0'])

  node.node.ip(`route replace default via ${INTERNET.ipv4} dev up2 onlink`)
  await node.followSurroundings()
  await until(() => ann.pings(INTERNET.ipv4))
  expect((await queues()).sort()).toEqual(['up2', 'wg0'])
})
