import { setTimeout } from 'node:timers/promises'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noteDatagrams } from '#testing/noted.ts'
import {
  addressOf,
  type Customer,
  createTestNode,
  INTERNET,
  NODE,
  policy,
  type TestNode,
  UPLINK,
} from '#testing/test-node.ts'
import { openUdp } from '#testing/udp.ts'

/** The port that WireGuard would listen on; in its place there is a socket that echoes. */
const ENDPOINT = 51820
const QUIET_MS = 300
const FAMILIES = ['ipv4', 'ipv6'] as const
type Family = (typeof FAMILIES)[number]

describe.each(FAMILIES)('By the ports of the node’s own address (%s)', (family: Family) => {
  let node: TestNode
  const open: (() => Promise<void>)[] = []
  let lastPort = 20_000
  const nextPort = () => ++lastPort

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    await node.startAgent()
    await node.ensure([policy('ann'), policy('ben'), policy('eve')])
    await until(() => node.customer('ann').pings(INTERNET[family]))
  })
  afterAll(() => node?.remove())
  beforeEach(() => async () => {
    await node.node.run('sh', '-c', 'echo 30 > /proc/sys/net/netfilter/nf_conntrack_udp_timeout')
    for (const close of open.splice(0)) await close()
  })

  const socket = async (...args: Parameters<typeof openUdp>) => {
    const one = await openUdp(...args)
    open.push(one.close)
    return one
  }
  const ofCustomer = (name: Customer, port: number) =>
    socket(node.machine(name), addressOf(name)[family], port)
  const server = (port: number) => socket(node.net, INTERNET[family], port)
  const endpoint = () => socket(node.node, family === 'ipv4' ? '0.0.0.0' : '::', ENDPOINT, 'echo')

  test('nobody takes over another customer’s way to the endpoint', async () => {
    const victimPort = nextPort()
    const [victim, eve] = [await server(victimPort), await ofCustomer('eve', ENDPOINT)]
    await endpoint()
    eve.say('shadow', INTERNET[family], victimPort)
    await until(() => victim.heard.length > 0)
    expect.soft(victim.heard.map(({ port }) => port)).not.toContain(ENDPOINT)
    victim.say('handshake', UPLINK[family], ENDPOINT)
    await until(() => victim.heard.some(({ text }) => text === 'handshake!'))
    await setTimeout(QUIET_MS)
    expect(eve.heard).toEqual([])
  })

  test('nobody holds the endpoint’s port, however many connections they make', async () => {
    const port = nextPort()
    const noted = await noteDatagrams(node.net, port, family)
    const eve = await ofCustomer('eve', ENDPOINT)
    const flood = `const { createSocket } = require('dgram'); let left = 400
      const next = () => { if (left-- === 0) process.exit(); const s = createSocket('udp${family.slice(-1)}')
        s.send('x', ${port}, '${INTERNET[family]}', () => { s.close(); next() }) }
      next()`
    await node.customer('ann').run(process.execPath, '-e', flood)
    eve.say('x', INTERNET[family], port)
    const ports = await until(async () => {
      const found = await noted.ports()
      return found.length > 300 && found
    })
    expect(ports).not.toContain(ENDPOINT)
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(1024)
    expect(Math.max(...ports)).toBeLessThan(ENDPOINT)
  })

  test('nobody learns from a port which ones others have', async () => {
    const [port, own] = [nextPort(), nextPort()]
    const [outside, ann, eve] = [
      await server(port),
      await ofCustomer('ann', own),
      await ofCustomer('eve', own),
    ]
    eve.say('alone', INTERNET[family], port)
    ann.say('x', INTERNET[family], port)
    await until(() => outside.heard.length === 2)
    expect(outside.heard.map((one) => one.port)).not.toContain(own)
  })

  test('nobody gets what is sent to another customer whose connection was forgotten', async () => {
    await node.node.run('sh', '-c', 'echo 1 > /proc/sys/net/netfilter/nf_conntrack_udp_timeout')
    const port = nextPort()
    const [outside, ann] = [await server(port), await ofCustomer('ann', nextPort())]
    ann.say('hello', INTERNET[family], port)
    await until(() => outside.heard.length === 1)
    const { port: annsPort = 0 } = outside.heard[0] ?? {}
    await setTimeout(2_500)
    const eve = await ofCustomer('eve', annsPort)
    eve.say('mine', INTERNET[family], port)
    await until(() => outside.heard.some(({ text }) => text === 'mine'))
    outside.say('for ann', UPLINK[family], annsPort)
    await setTimeout(QUIET_MS)
    expect(eve.heard).toEqual([])
  })

  test('nobody pushes another customer’s open connection out of the table', async () => {
    const port = nextPort()
    const [outside, ann] = [await server(port), await ofCustomer('ann', nextPort())]
    ann.say('hello', INTERNET[family], port)
    await until(() => outside.heard.length === 1)
    const { port: annsPort = 0 } = outside.heard[0] ?? {}
    // Longer than a busy machine takes to send so much.
    await node.node.run('sh', '-c', 'echo 300 > /proc/sys/net/netfilter/nf_conntrack_udp_timeout')
    const flood = `const socket = require('dgram').createSocket('udp${family.slice(-1)}'); let n = 0
      const next = () => n++ < 12000 ? socket.send('x', 30000 + n, '${INTERNET[family]}', next) : process.exit(0)
      next()`
    expect((await node.customer('ben').run(process.execPath, '-e', flood)).code).toBe(0)
    outside.say('for ann', UPLINK[family], annsPort)
    await until(() => ann.heard.some(({ text }) => text === 'for ann'))
  })

  test('nothing comes in without the tunnel, not even as an answer to what a customer asked', async () => {
    const [port, own] = [nextPort(), nextPort()]
    const [outside, ann] = [await server(port), await ofCustomer('ann', own)]
    const pool = family === 'ipv4' ? '10.90.0.0/16' : '2001:db8:90::/64'
    await node.net.run('ip', 'route', 'replace', pool, 'via', UPLINK[family])
    ann.say('question', INTERNET[family], port)
    await until(() => outside.heard.length === 1)
    outside.say('forged', addressOf('ann')[family], own)
    await setTimeout(QUIET_MS)
    expect(ann.heard).toEqual([])
  })

  test('a customer reaches the endpoint from inside of the tunnel as themselves, and no other customer by the node’s address', async () => {
    const port = nextPort()
    const evesPort = nextPort()
    const [outside, ann, eve, wireguard] = [
      await server(port),
      await ofCustomer('ann', nextPort()),
      await ofCustomer('eve', evesPort),
      await endpoint(),
    ]
    ann.say('hello', INTERNET[family], port)
    await until(() => outside.heard.length === 1)
    for (const to of [UPLINK[family], NODE[family]])
      for (const toPort of [ENDPOINT, outside.heard[0]?.port ?? 0]) eve.say('x', to, toPort)
    await setTimeout(QUIET_MS)
    await until(() => eve.heard.length > 0 && wireguard.heard.length > 0)
    expect(wireguard.heard).toEqual([{ text: 'x', from: addressOf('eve')[family], port: evesPort }])
    expect(ann.heard).toEqual([])
  })
})
