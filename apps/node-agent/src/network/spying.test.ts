import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PAGE_IPV4 } from '#network/own-addresses.ts'
import { ipv4Packet, sendRaw, unreachable } from '#testing/raw-packets.ts'
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

const ESP = 50

/** A program that asks for the addresses of so many names, 1,000 a second. */
const floodOf = (label: string, count: number, family: 4 | 6, server: string) =>
  `const socket = require('dgram').createSocket('udp${family}'); let n = 0
  const ask = (name) => socket.send(Buffer.from(
    '\\0\\0\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0' + String.fromCharCode(name.length) + name + '\\x07example\\x03com\\0\\0\\x01\\0\\x01', 'latin1'), 53, '${server}')
  setInterval(() => { for (let i = 0; i < 8; i++) if (n++ < ${count}) ask('${label}' + n); else process.exit() }, 8)`

describe('A customer who means harm', () => {
  let node: TestNode
  let ann: ReturnType<TestNode['customer']>

  /** Packets that a rule of nft would match, which have come to the internet. */
  const arrived = async (match: string): Promise<() => Promise<number>> => {
    await node.net.run('nft', 'add table inet watch')
    await node.net.run('nft', 'add chain inet watch in { type filter hook input priority 0; }')
    await node.net.run('nft', `flush chain inet watch in; add rule inet watch in ${match} counter`)
    return async () =>
      Number(/packets (\d+)/.exec(await node.net.run('nft', 'list', 'table', 'inet', 'watch'))?.[1])
  }

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode({
      stubs: [
        ...['com', 'net', 'org'].map((zone) => ({ zone, address: INTERNET.ipv4 })),
        ...['10.66.0.1', '168.63.129.16'].map((address) => ({
          zone: `at-${address}`.replaceAll('.', '-'),
          address,
        })),
      ],
    })
    await node.net.run('ip', 'addr', 'add', '168.63.129.16', 'dev', 'up1')
    await node.startAgent()
    ann = node.customer('ann')
    await node.ensure([policy('ann'), policy('eve')])
    await until(async () => (await ann.ask('www.example.com')) === INTERNET.ipv4)
  })
  afterAll(() => node?.remove())
  beforeEach(() => node.apply([policy('ann'), policy('eve')]))

  test('tells no server in the name of another that their datagrams did not arrive', async () => {
    const count = await arrived('icmp type destination-unreachable')
    const server = await openUdp(node.net, INTERNET.ipv4, 7001)
    const socket = await openUdp(node.machine('ann'), addressOf('ann').ipv4, 5555)
    socket.say('x', INTERNET.ipv4, 7001)
    await until(() => server.heard.length === 1)
    const about = { from: INTERNET.ipv4, to: addressOf('ann').ipv4, fromPort: 7001, toPort: 5555 }
    await sendRaw(node.machine('eve'), [
      unreachable({ from: addressOf('eve').ipv4, to: INTERNET.ipv4 }, about),
      unreachable({ from: addressOf('ann').ipv4, to: INTERNET.ipv4 }, about),
    ])
    await setTimeout(300)
    expect(await count()).toBe(0)
    await Promise.all([server.close(), socket.close()])
  })

  test('tells the node nothing about its own connections', async () => {
    const server = await openUdp(node.net, INTERNET.ipv4, 7002)
    const own = await openUdp(node.node, UPLINK.ipv4, 7003)
    own.say('x', INTERNET.ipv4, 7002)
    await until(() => server.heard.length === 1)
    const heard = async () =>
      Number(/^Icmp: \d+ \d+ \d+ (\d+)/m.exec(await node.node.run('cat', '/proc/net/snmp'))?.[1])
    const before = await heard()
    const about = { from: UPLINK.ipv4, to: INTERNET.ipv4, fromPort: 7003, toPort: 7002 }
    await sendRaw(node.machine('eve'), [unreachable({ from: addressOf('eve').ipv4, to: UPLINK.ipv4 }, about)])
    await setTimeout(300)
    expect(await heard()).toBe(before)
    await Promise.all([server.close(), own.close()])
  })

  test('takes no server for themselves by a protocol without ports, of which there is one connection for all', async () => {
    const count = await arrived(`ip protocol ${ESP}`)
    const ends = { from: addressOf('eve').ipv4, to: INTERNET.ipv4 }
    await sendRaw(node.machine('eve'), [ipv4Packet(ends, ESP, Buffer.alloc(64))])
    await setTimeout(300)
    expect(await count()).toBe(0)
  })

  test('asks nothing of resolvers in private networks by a name whose name servers they would be', async () => {
    for (const zone of ['at-10-66-0-1', 'at-168-63-129-16'])
      expect(await ann.ask(`host.${zone}`), zone).toBe('SERVFAIL')
  })

  test('gets no browser to take the node’s own services, a home or a cloud for a site of theirs', async () => {
    const hexOf = (ipv4: string) => Buffer.from(ipv4.split('.').map(Number)).toString('hex')
    const nameAt = (ipv4: string) => `rebind-${hexOf(ipv4)}.example.com`
    expect(await ann.ask(nameAt('203.0.113.99'))).toBe('203.0.113.99')
    const inside = ['198.18.0.1', '192.168.1.1', '10.0.0.1', '172.31.0.1', '127.0.0.1', '169.254.169.254']
    for (const ipv4 of [...inside, '100.127.0.1', '168.63.129.16', '0.0.0.0', '255.255.255.255'])
      expect(await ann.ask(nameAt(ipv4)), ipv4).toBe('NOERROR')
    const hintOf = (ip: string) => ann.ask(`rebind-${ip}.example.com`, NODE.ipv4, '-t', 'HTTPS')
    expect(await hintOf(hexOf('203.0.113.99'))).toBe('1 . ipv4hint=203.0.113.99')
    for (const ip of [hexOf('192.168.1.1'), 'fd'.padEnd(31, '0').concat('1')])
      expect(await hintOf(ip), ip).toBe('NOERROR')
    const mapped = (head: string, ipv4: string) => head.padEnd(24, '0') + hexOf(ipv4)
    for (const ipv6 of [
      '1'.padStart(32, '0'),
      ...['fe80', 'fd000ec2', 'fc'].map((head) => head.padEnd(31, '0').concat('1')),
      ...[mapped('00000000000000000000ffff', '192.168.1.1'), mapped('0064ff9b', '192.168.1.1')],
      ...[`2002${hexOf('192.168.1.1')}`.padEnd(32, '0'), '20010000'.padEnd(32, '1')],
    ])
      expect(await ann.ask(`rebind-${ipv6}.example.com`, NODE.ipv4, '-t', 'AAAA'), ipv6).toBe('NOERROR')
  })

  test('learns from the resolver’s memory not what others asked', async () => {
    await ann.ask('secret.example.com')
    expect(await node.customer('eve').ask('secret.example.com', NODE.ipv4, '+norecurse')).toBe('REFUSED')
  })

  test('does not learn what the resolver is, or which trust anchors it has', async () => {
    for (const name of ['version.bind', 'version.pdns', 'hostname.bind', 'id.server', 'trustanchor.server'])
      expect(await ann.ask(name, NODE.ipv4, 'CH', 'TXT'), name).toBe('REFUSED')
  })

  test('finds the resolver at port 53 of its own addresses and nowhere else, and may not ask it from the server itself', async () => {
    const sockets = await node.node.run('ss', '-Hlntup')
    const addresses = sockets.split('\n').filter((line) => line.includes('"pdns_recursor"'))
    expect(addresses.length).toBeGreaterThan(0)
    for (const line of addresses) expect(line).toMatch(/ (198\.18\.0\.\d|\[fd68:6564:6765::\d\]):53 /)
    const { out } = await node.node.attempt('dig', '+time=1', '+tries=1', `@${PAGE_IPV4}`, 'www.example.com')
    expect(out).toContain('no servers could be reached')
  })

  test('does not fill the resolver with names whose servers never answer', async () => {
    const flood = (family: 4 | 6, server: string) =>
      node.customer('eve').run(process.execPath, '-e', floodOf(`silent${family}`, 6_000, family, server))
    const floods = Promise.all([flood(4, NODE.ipv4), flood(6, NODE.ipv6)])
    let isOver = false
    void floods.then(() => (isOver = true))
    let asked = 0
    while (!isOver) await until(async () => (await ann.ask(`while${++asked}.example.com`)) === INTERNET.ipv4)
    const folder = join(node.dir, 'state', 'resolver')
    const drops = await node.node.run('rec_control', `--socket-dir=${folder}`, 'get', 'over-capacity-drops')
    expect(drops.trim()).toBe('0')
  })

  test('does not keep the resolver’s TCP connections to themselves', async () => {
    const hold = node.machine('eve').spawn(process.execPath, [
      '-e',
      `const open = () => require('net').connect(53, '${NODE.ipv4}').on('error', () => 0).on('close', () => setTimeout(open, 5)).resume()
        for (let i = 0; i < 600; i++) open()`,
    ])
    await setTimeout(1_000)
    const answers: string[] = []
    for (let i = 0; i < 8; i++) answers.push(await ann.ask(`tcp${i}.example.com`, NODE.ipv4, '+tcp'))
    hold.kill()
    expect(answers).toEqual(Array(8).fill(INTERNET.ipv4))
  })

  test('does not keep the page for the expired to themselves', async () => {
    const yesterday = new Date(Date.now() - 86_400_000)
    await node.apply([policy('ann', { expiresAt: yesterday }), policy('eve', { expiresAt: yesterday })])
    const hold = node.machine('eve').spawn(process.execPath, [
      '-e',
      `let n = 0; const open = () => n++ < 1500 && require('net').connect(80, '${PAGE_IPV4}').on('error', () => 0).on('connect', open)
        for (let i = 0; i < 10; i++) open(); setInterval(() => 0, 1000)`,
    ])
    await setTimeout(2_000)
    expect(await ann.fetch(`http://${PAGE_IPV4}/`)).toContain('This connection has expired')
    hold.kill()
  })

  test('is no router for the node', async () => {
    const routes = () => node.node.run('ip', '-6', 'route', 'show', 'default')
    const before = await routes()
    const advertise = `socket(S, 10, SOCK_RAW, 58) or die $!; setsockopt(S, 41, 18, pack("i", 255)) or die $!;
      my ($index) = \`cat /sys/class/net/tun/ifindex\`; setsockopt(S, 41, 17, pack("i", $index)) or die $!;
      my $ra = pack("CCnCCnNN", 134, 0, 0, 64, 0, 1800, 0, 0);
      send(S, $ra, 0, pack("SnNH32L", 10, 0, 0, "ff020000000000000000000000000001", $index)) or die $!`
    const { code, out } = await node.customer('eve').run('perl', '-MSocket', '-e', advertise)
    expect(code, out).toBe(0)
    await setTimeout(300)
    expect(await routes()).toBe(before)
  })
})
