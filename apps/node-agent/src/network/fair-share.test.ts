import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectionsAtOnce, lengthFor } from '#network/connection-room.ts'
import { piecesASecond } from '#network/piece-room.ts'
import { noteDatagrams } from '#testing/noted.ts'
import { datagram, firstPiece, sendRaw, syn } from '#testing/raw-packets.ts'
import {
  addressOf,
  createTestNode,
  INTERNET,
  NODE,
  policy,
  type TestNode,
  UPLINK,
} from '#testing/test-node.ts'

const SHARE = 4_000
/** Nobody answers there, but the way leads through the node. */
const SILENT = '192.0.2.9'
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('The table of connections that all customers share', () => {
  let node: TestNode
  const policies = [policy('ann'), policy('ben'), policy('eve')]
  const kernel = async (name: string) => Number(await node.node.run('cat', `/proc/sys/net/netfilter/${name}`))
  const entries = () => kernel('nf_conntrack_count')

  // A new node for each test, with an empty table.
  beforeEach(async () => {
    requireTunnels()
    node = await createTestNode()
    await node.startAgent()
    await node.ensure(policies)
    // Longer than a busy machine takes to send so much: what is forgotten meanwhile would not be counted.
    await node.node.run('sh', '-c', 'echo 300 > /proc/sys/net/netfilter/nf_conntrack_udp_timeout')
  })
  afterEach(() => node?.remove())

  const flood = (family: 'ipv4' | 'ipv6', above = 1024) => {
    const script = `const socket = require('dgram').createSocket('udp${family.slice(-1)}'); let n = 0
      const next = () => n++ < 9000 ? socket.send('x', ${above} + n, '${INTERNET[family]}', next) : process.exit(0)
      next()`
    return node.customer('eve').run(process.execPath, '-e', script)
  }
  /** So many that each may have only a few hundred. */
  const crowd = async () => {
    const length = await kernel('nf_conntrack_max')
    return numbers(Math.ceil((length * 0.8) / (2 * 600))).map((i) => ({
      ...policy('ann'),
      ipv4: `10.90.${10 + (i >> 8)}.${i & 255}`,
      ipv6: `2001:db8:90::a:${i.toString(16)}`,
    }))
  }
  const expectOthersWell = async () => {
    expect(await node.customer('ann').fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
    expect(await node.customer('ann').fetch(`http://[${INTERNET.ipv6}]/`)).toBe('the internet')
  }

  test('has so many places for a customer over IPv4, as many over IPv6, and no more', async () => {
    const before = await entries()
    await Promise.all([flood('ipv4'), flood('ipv6')])
    const taken = (await entries()) - before
    expect(taken).toBeGreaterThan(SHARE)
    expect(taken).toBeLessThan(2 * SHARE + 200)
    await expectOthersWell()
  })

  test('has no place for datagrams from addresses that nobody has', async () => {
    const before = await entries()
    const sources = numbers(8_000).map((i) => `10.90.${100 + (i >> 8)}.${i & 255}`)
    await sendRaw(
      node.machine('eve'),
      sources.map((from) => datagram({ from, to: INTERNET.ipv4, fromPort: 9, toPort: 9 })),
    )
    expect((await entries()) - before).toBeLessThan(1_000)
    await expectOthersWell()
  })

  test('counts connections that are begun and never made', async () => {
    const before = await entries()
    const from = addressOf('eve').ipv4
    await sendRaw(
      node.machine('eve'),
      numbers(9_000).map((i) => syn({ from, to: SILENT, fromPort: 1024 + i, toPort: 1024 + (i % 100) })),
    )
    const taken = (await entries()) - before
    expect(taken).toBeGreaterThan(SHARE / 2)
    expect(taken).toBeLessThan(SHARE + 100)
    await expectOthersWell()
  })

  test('gives a customer only some of the ports that there are for all to reach one server', async () => {
    for (const family of ['ipv4', 'ipv6'] as const) {
      const noted = await noteDatagrams(node.net, 7777, family)
      const script = `const { createSocket } = require('dgram'); let left = 1500
        const next = () => { if (left-- === 0) process.exit(); const s = createSocket('udp${family.slice(-1)}')
          s.send('x', 7777, '${INTERNET[family]}', () => { s.close(); next() }) }
        next()`
      await node.customer('eve').run(process.execPath, '-e', script)
      const ports = await until(async () => {
        const found = await noted.ports()
        return found.length > 300 && found
      })
      expect(ports.length).toBeLessThanOrEqual(500)
    }
    expect(await node.heal(policies), 'who has connections is no change of the rules').toEqual([])
  })

  test('is not filled by strangers who knock at the node', async () => {
    const before = await entries()
    const start = performance.now()
    await sendRaw(
      node.net,
      numbers(12_000).map((i) =>
        datagram({ from: `192.0.2.${i & 255}`, to: UPLINK.ipv4, fromPort: 1024 + (i >> 8), toPort: 9 }),
      ),
    )
    const taken = (await entries()) - before
    // So many at once, and so many a second.
    expect(taken).toBeLessThan(2_500 + (600 * (performance.now() - start)) / 1000)
    await expectOthersWell()
  })

  test('has less of it for each when there are many customers, so that all together cannot fill it', async () => {
    await node.ensure([...policies, ...(await crowd())])
    await flood('ipv4')
    expect(await entries()).toBeLessThan(700)
    await expectOthersWell()
  })

  test('goes on knowing who has how many connections when customers may have fewer', async () => {
    await flood('ipv4')
    const before = await entries()
    expect(before).toBeGreaterThan(SHARE / 2)
    await node.heal([...policies, ...(await crowd())])
    await flood('ipv4', 20_000)
    expect(await entries()).toBeLessThan(before + 200)
    await flood('ipv6')
    expect(await entries(), 'and holds those who had none to the new number').toBeLessThan(before + 900)
    await expectOthersWell()
  })

  test('is not filled by names that the resolver is made to ask for', async () => {
    await until(() => node.customer('ann').ask('www.example.com'))
    const before = await entries()
    const asked = 800
    const script = `const socket = require('dgram').createSocket('udp4'); let n = 0, answers = 0
      const done = () => { console.log(answers); process.exit() }
      socket.on('message', () => answers++)
      const name = () => { const label = 'n' + n; return String.fromCharCode(label.length) + label + '\\x07example\\x03com\\0' }
      const ask = () => { for (let i = 0; i < 4 && n < ${asked}; i++, n++) socket.send(Buffer.from(
        String.fromCharCode(n >> 8, n & 255) + '\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0' + name() + '\\0\\x01\\0\\x01', 'latin1'), 53, '${NODE.ipv4}') }
      setInterval(ask, 10)
      setInterval(() => n === ${asked} && answers > ${asked / 2} && done(), 500)`
    const { out } = await node.customer('eve').run('timeout', '45', process.execPath, '-e', script)
    expect(Number(out)).toBeGreaterThan(asked / 2)
    expect((await entries()) - before).toBeLessThan(100)
  })

  test.each(['ipv4', 'ipv6'] as const)(
    'has room for a customer’s datagrams that do not fit into one packet (%s)',
    async (family) => {
      const sent = 400
      const noted = await noteDatagrams(node.net, 7777, family)
      const script = `const socket = require('dgram').createSocket('udp${family.slice(-1)}'); let n = 0
        const next = () => n++ < ${sent} ? socket.send(Buffer.alloc(1600), 7777, '${INTERNET[family]}') : process.exit(0)
        setInterval(next, 5)`
      // What is sent before the stand-in for the tunnel has learnt its neighbour's address waits, and soon is too much to wait.
      const answered = () => node.customer('ann').run('ping', '-c', '1', '-W', '1', INTERNET[family])
      await until(async () => (await answered()).code === 0)
      await node.customer('ann').run(process.execPath, '-e', script)
      await until(async () => (await noted.count()) > 0.95 * sent)
    },
  )

  test('is not emptied for a customer by large datagrams of which another sends only the first pieces', async () => {
    // A machine that is busy may lose some. What fills the kernel's memory of pieces keeps all out for three seconds.
    const large = () =>
      node.customer('ann').run('ping', '-c', '8', '-i', '0.2', '-W', '2', '-s', '4000', INTERNET.ipv4)
    expect((await large()).code).toBe(0)
    const ends = { from: addressOf('eve').ipv4, to: INTERNET.ipv4, fromPort: 9, toPort: 9 }
    await sendRaw(
      node.machine('eve'),
      numbers(8_000).map((id) => firstPiece(ends, id)),
    )
    expect((await large()).code).toBe(0)
    const fromStrangers = { from: '192.0.2.9', to: UPLINK.ipv4, fromPort: 9, toPort: 9 }
    await sendRaw(
      node.net,
      numbers(8_000).map((id) => firstPiece(fromStrangers, id)),
    )
    expect((await large()).code, 'nor by some thousands from strangers').toBe(0)
  })
})

describe('A customer’s share of the table', () => {
  test('is what all can have at the same time with a fifth left over, in steps, and never too little to work with', () => {
    expect(connectionsAtOnce(262_144, 26)).toBe(4_000)
    expect(connectionsAtOnce(262_144, 27)).toBe(2_000)
    expect(connectionsAtOnce(262_144, 100)).toBe(1_000)
    expect(connectionsAtOnce(262_144, 50_000)).toBe(500)
  })

  test('of the memory for pieces of packets is small where that memory is, as in a container', () => {
    expect(piecesASecond(64 * 2 ** 20)).toBe(2_000)
    expect(piecesASecond(4 * 2 ** 20)).toBe(50)
  })

  test('comes out of an eighth of the memory', () => {
    expect(lengthFor(2 ** 31)).toBe(524_288)
  })
})
