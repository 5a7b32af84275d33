import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { neighboursOf } from '#network/neighbours.ts'
import {
  addressOf,
  createTestNode,
  INTERNET,
  NODE,
  policy,
  type TestNode,
  UPLINK,
} from '#testing/test-node.ts'

requireTunnels()

/** All of them answer where the uplink ends. */
const BEHIND_THE_UPLINK = [
  '0.1.2.3',
  '10.66.0.1',
  '100.100.100.200',
  '161.26.0.10',
  '166.9.0.1',
  '168.63.129.16',
  '169.254.169.253',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.200.1',
  '64:ff9b::a9fe:a9fe',
  '100::1',
  '2001::a00:1',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fec0::1',
]
/** Nobody has them, or everyone. */
const NOBODYS = [
  '0.0.0.0',
  '127.0.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '10.90.255.255',
  '::',
  '::1',
  'ff02::1',
]

describe('A customer is kept from', () => {
  let node: TestNode
  let eve: ReturnType<TestNode['customer']>

  const onNet = (address: string) =>
    node.net.run('ip', 'addr', 'replace', address, 'dev', 'up1', ...(address.includes(':') ? ['nodad'] : []))

  beforeAll(async () => {
    node = await createTestNode()
    eve = node.customer('eve')
    for (const one of BEHIND_THE_UPLINK) await onNet(one)
    await node.startAgent()
    await node.ensure([policy('ann'), policy('eve')])
    await until(() => eve.connects(INTERNET.ipv4, 80))
  })
  afterAll(() => node?.remove())

  const reached = async (addresses: readonly string[], port = 80): Promise<string[]> => {
    const found = await Promise.all(
      addresses.map(async (one) => ((await eve.connects(one, port)) ? one : '')),
    )
    return found.filter(Boolean)
  }

  const areReached = (addresses: readonly string[]) =>
    until(async () => (await reached(addresses)).length === addresses.length)

  test('all that is not the internet: private networks, clouds’ own services, addresses that carry others inside', async () => {
    // The node itself reaches them.
    await until(async () => {
      const fromNode = await Promise.all(
        BEHIND_THE_UPLINK.map(async (one) => {
          const url = one.includes(':') ? `http://[${one}]/` : `http://${one}/`
          return (await node.node.attempt('curl', '-sS', '-m', '5', url)).out
        }),
      )
      return fromNode.filter((text) => text === 'the internet').length > 15
    })
    expect(await reached(BEHIND_THE_UPLINK)).toEqual([])
    expect(await reached(NOBODYS)).toEqual([])
  })

  test('the node, at every address that it has, also the public ones', async () => {
    const all = [UPLINK.ipv4, UPLINK.ipv6, NODE.ipv4, NODE.ipv6, '198.18.0.1', 'fd68:6564:6765::1']
    expect(await reached(all, 22)).toEqual([])
  })

  test('other customers', async () => {
    const { ipv4, ipv6 } = addressOf('ann')
    expect(await reached([ipv4, ipv6, '10.90.7.7', '2001:db8:90::77'])).toEqual([])
  })

  test('networks beside the node, from the moment when it has them', async () => {
    await onNet('198.51.100.9/24')
    await onNet('2001:db8:7::9/64')
    const beside = ['198.51.100.9', '2001:db8:7::9']
    // They are part of the internet.
    await areReached(beside)
    node.node.ip('addr add 198.51.100.1/24 dev up0\naddr add 2001:db8:7::1/64 dev up0 nodad')
    await node.followSurroundings()
    expect(await reached(beside)).toEqual([])
    await areReached([INTERNET.ipv4, INTERNET.ipv6])
    expect(await node.heal([policy('ann'), policy('eve')])).toEqual([])
    await node.killAgent()
    await node.startAgent()
    await node.ensure([policy('ann'), policy('eve')])
    expect(await reached(beside), 'another agent finds them').toEqual([])
    node.node.ip('addr del 198.51.100.1/24 dev up0\naddr del 2001:db8:7::1/64 dev up0')
    await node.followSurroundings()
    // They are free again when it has them no more.
    await areReached(beside)
  })
})

test('networks beside a node are those without a gateway, but the internet and the tunnel are none', () => {
  const routes = [
    { dst: 'default', gateway: '198.51.100.254', dev: 'eth0' },
    { dst: 'default', dev: 'ppp0' },
    { dst: '0.0.0.0/1', dev: 'ppp0' },
    { dst: '2000::/3', dev: 'ppp0' },
    { dst: '198.51.100.0/24', dev: 'eth0' },
    { dst: '192.0.2.0/24', gateway: '198.51.100.9', dev: 'eth0' },
    { dst: '2001:db8:7::/64', dev: 'eth1' },
    { dst: '203.0.113.9', dev: 'eth0' },
    { dst: '10.66.0.0/16', dev: 'wg0' },
    { dst: '198.51.100.255', type: 'broadcast', dev: 'eth0' },
    { dst: '2001:db8:9::/64', nexthops: [{}, {}] },
  ]
  expect(neighboursOf(routes, 'wg0')).toEqual(['198.51.100.0/24', '2001:db8:7::/64', '203.0.113.9'])
})
