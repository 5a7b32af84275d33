import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolverIpv4 } from '#network/own-addresses.ts'
import { addressOf, createTestNode, INTERNET, NODE, policy, type TestNode } from '#testing/test-node.ts'

describe('What a customer reaches', () => {
  let node: TestNode
  let ann: ReturnType<TestNode['customer']>
  let eve: ReturnType<TestNode['customer']>
  const policies = [policy('ann'), policy('ben'), policy('eve')]

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    ann = node.customer('ann')
    eve = node.customer('eve')
    await node.startAgent()
    await node.ensure(policies)
    await until(() => ann.ask('www.example.com'))
  })
  afterAll(() => node?.remove())

  test('reaches the internet over IPv4 and IPv6', async () => {
    await until(() => ann.pings(INTERNET.ipv4))
    await until(() => ann.pings(INTERNET.ipv6))
    expect(await ann.fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
    expect(await ann.fetch(`http://[${INTERNET.ipv6}]/`)).toBe('the internet')
  })

  test('can ping the node in the tunnel', async () => {
    await until(() => ann.pings(NODE.ipv4))
    await until(() => ann.pings(NODE.ipv6))
  })

  test('cannot reach another customer', async () => {
    expect(await ann.pings(addressOf('ben').ipv4)).toBe(false)
    expect(await ann.pings(addressOf('ben').ipv6)).toBe(false)
  })

  test('cannot reach ssh of the node, at any of its addresses', async () => {
    for (const address of [NODE.ipv4, NODE.ipv6, '203.0.113.1', '2001:db8::1', resolverIpv4(1)]) {
      expect(await ann.connects(address, 22), address).toBe(false)
    }
    const { code } = await node.net.attempt('curl', '-s', '-m', '2', '--http0.9', 'telnet://203.0.113.1:22')
    expect(code, 'the operator still reaches it: it waits until the time is over').toBe(28)
  })

  test('cannot reach private networks or the metadata service behind the uplink', async () => {
    expect(await ann.connects('10.66.0.1', 80)).toBe(false)
    expect(await ann.connects('169.254.169.254', 80)).toBe(false)
  })

  test('sends no mail past a mail service, so that the node’s address stays a good one', async () => {
    expect(await ann.connects(INTERNET.ipv4, 25)).toBe(false)
    await until(() => ann.connects(INTERNET.ipv4, 5001))
  })

  test('cannot fill the node’s table of connections', async () => {
    const flood = `const socket = require('dgram').createSocket('udp4'); let n = 0
      const next = () => n++ < 9000 ? socket.send('x', 1024 + n, '${INTERNET.ipv4}', next) : process.exit(0)
      next()`
    expect((await eve.run(process.execPath, '-e', flood)).code).toBe(0)
    const { out } = await node.node.attempt('cat', '/proc/sys/net/netfilter/nf_conntrack_count')
    expect(Number(out)).toBeGreaterThan(3000)
    expect(Number(out)).toBeLessThan(4500)
    expect(await ann.fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
    expect(await node.heal(policies), 'who has connections is no change of the rules').toEqual([])
  })

  test('cannot keep the resolver to itself', async () => {
    const name = '\\x03www\\x07example\\x03com'
    const flood = `const start = performance.now(); const socket = require('dgram').createSocket('udp4'); let n = 0, answers = 0
      socket.on('message', () => answers++)
      const ask = () => { for (let i = 0; i < 200 && n < 4000; i++) socket.send(Buffer.from(String.fromCharCode(n >> 8, n++ & 255) +
        '\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0${name}\\0\\0\\x01\\0\\x01', 'latin1'), 53, '${NODE.ipv4}') }
      setInterval(ask, 10)
      setInterval(() => { if (n === 4000) setTimeout(() => { console.log(n, answers, (performance.now() - start) / 1000); process.exit() }, 500) }, 50)`
    const { out } = await node.customer('ben').run(process.execPath, '-e', flood)
    const [asked = 0, answered = 0, seconds = 0] = out.trim().split(' ').map(Number)
    expect(asked).toBe(4000)
    expect(answered).toBeGreaterThan(0)
    // So many at once, and so many a second.
    expect(answered).toBeLessThan(600 + 120 * seconds)
    expect(await ann.ask('www.example.com')).toBe(INTERNET.ipv4)
  })

  test('is not reached from the internet, and neither is the resolver', async () => {
    await node.net.attempt('ip', 'route', 'replace', '10.90.0.0/16', 'via', '203.0.113.1')
    await node.net.attempt('ip', 'route', 'replace', '198.18.0.0/15', 'via', '203.0.113.1')
    const ping = await node.net.attempt('ping', '-c', '1', '-W', '1', addressOf('ann').ipv4)
    expect(ping.code).not.toBe(0)
    const { out } = await node.net.attempt(
      'dig',
      '+time=1',
      '+tries=1',
      `@${resolverIpv4(1)}`,
      'www.example.com',
    )
    expect(out).toContain('no servers could be reached')
  })
})
