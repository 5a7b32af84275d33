import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FAMILY_BIT, MARKS } from '#network/marks.ts'
import { settledText } from '#network/settled.ts'
import { sendRaw, unreachable } from '#testing/raw-packets.ts'
import { addressOf, createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'
import { openUdp } from '#testing/udp.ts'

const DNS_OVER_TLS = 853
const yesterday = () => new Date(Date.now() - 86_400_000)

/** Says a byte as often as the server has answered the one before, and ends with what ends the connection. */
const TALK = `const [host, port] = process.argv.slice(1)
  const socket = require('net').connect(Number(port), host).on('error', ({ code }) => { console.log(code); process.exit(1) })
  socket.on('data', () => { process.stdout.write('.'); setTimeout(() => socket.write('x'), 20) }).write('x')`

describe('A connection whose destination is looked up no more', () => {
  let node: TestNode

  beforeEach(async () => {
    requireTunnels()
    node = await createTestNode()
    // Without the tool that deletes connections: the rules alone have to end them.
    await node.startAgent({ missing: 'conntrack' })
    await node.ensure([policy('ann'), policy('eve')])
  })
  afterEach(() => node?.remove())

  const isSettled = async (host: string): Promise<boolean> => {
    const family = host.includes(':') ? 'ipv6' : 'ipv4'
    const { out } = await node.node.attempt('conntrack', '-L', '-f', family, '-d', host)
    return / mark=[1-9]/.test(out)
  }
  const talkOfEve = async (host: string, port = DNS_OVER_TLS) => {
    const child = node.machine('eve').spawn(process.execPath, ['-e', TALK, host, String(port)])
    let heard = ''
    child.stdout?.on('data', (data) => (heard += data))
    await until(() => isSettled(host))
    const before = heard.length
    await until(() => heard.length > before + 3)
    return { isRefused: () => until(() => child.exitCode !== null && /ECONN|EPIPE/.test(heard)) }
  }
  const addresses = [INTERNET.ipv4, INTERNET.ipv6]

  test.each<[why: string, change: () => Promise<unknown>]>([
    ['the customer is removed', () => node.apply([], [policy('eve')])],
    ['the customer expires', () => node.apply([policy('eve', { expiresAt: yesterday() })])],
    [
      'the customer turns on a filter that shuts its port',
      () => node.apply([policy('eve', { filters: FAMILY_BIT })]),
    ],
    ['the rules are loaded anew without the customer', () => node.ensure([policy('ann')])],
  ])('ends when %s', async (_, change) => {
    const talks = await Promise.all(addresses.map((host) => talkOfEve(host)))
    await change()
    for (const talk of talks) await talk.isRefused()
  })

  test.each(['ipv4', 'ipv6'] as const)(
    'is not the next customer’s who gets the address (%s)',
    async (family) => {
      await node.killAgent()
      await node.startAgent()
      await node.ensure([policy('ann'), policy('eve')])
      const [host, own] = [INTERNET[family], addressOf('eve')[family]]
      const server = await openUdp(node.net, host, 7001)
      const device = await openUdp(node.machine('eve'), own, 5555)
      const lastOfDevice = () => server.heard.findLast(({ text }) => text === 'x')
      /** The server answers where the device's last packet came from. */
      const answered = (text: string) =>
        until(() => {
          device.say('x', host, 7001)
          const from = lastOfDevice()
          if (from) server.say(text, from.from, from.port)
          return device.heard.some((one) => one.text === text)
        })
      await answered('former')
      await until(() => isSettled(host))
      // Nothing that the device said is on its way any more: it would be the next one's first packet.
      device.say('last', host, 7001)
      await until(() => server.heard.some(({ text }) => text === 'last'))
      const former = lastOfDevice()
      if (!former) throw new Error('The server has heard nothing')
      await node.apply([], [policy('eve')])
      await node.apply([policy('eve')])
      server.say('too late', former.from, former.port)
      // The next one begins after that was sent: it may lead to the same place, and would be answered there.
      server.say('sent', host, 7001)
      await until(() => server.heard.some(({ text }) => text === 'sent'))
      await answered('next')
      expect(device.heard.map(({ text }) => text)).not.toContain('too late')
      await Promise.all([server.close(), device.close()])
    },
  )

  test('ends by itself at the end of the customer’s days', async () => {
    const talks = await Promise.all(addresses.map((host) => talkOfEve(host)))
    await node.apply([policy('eve', { expiresAt: new Date(Date.now() + 1_000) })])
    await node.killAgent()
    for (const talk of talks) await talk.isRefused()
  })

  test('ends when the node gets a network beside it where it leads to', async () => {
    const beside = ['198.51.100.9', '2001:db8:7::9']
    node.net.ip('address add 198.51.100.9/24 dev up1\naddress add 2001:db8:7::9/64 dev up1 nodad')
    const talks = await Promise.all(beside.map((host) => talkOfEve(host)))
    node.node.ip('address add 198.51.100.1/24 dev up0\naddress add 2001:db8:7::1/64 dev up0 nodad')
    await node.followSurroundings()
    for (const talk of talks) await talk.isRefused()
  })

  test('leaves by no interface that is not an uplink, whatever the routes say', async () => {
    const talk = await talkOfEve(INTERNET.ipv4)
    node.node.ip(`link add up2 type veth peer name up3 netns ${node.net.name}\nlink set up2 up`)
    node.net.ip('link set up3 up')
    await node.net.run(
      'nft',
      'add table inet ears; add chain inet ears in { type filter hook prerouting priority raw; }; add rule inet ears in iifname up3 meta l4proto tcp counter',
    )
    node.node.ip(`route add ${INTERNET.ipv4}/32 dev up2`)
    await talk.isRefused()
    expect(await node.net.run('nft', 'list', 'table', 'inet', 'ears')).toContain('packets 0 ')
  })

  test('carries no ICMP error of its customer, which might be about someone else’s', async () => {
    await node.net.run(
      'nft',
      'add table inet ears; add chain inet ears in { type filter hook prerouting priority raw; }; add rule inet ears in icmp type destination-unreachable counter',
    )
    const server = await openUdp(node.net, INTERNET.ipv4, 7001, 'echo')
    const socket = await openUdp(node.machine('eve'), addressOf('eve').ipv4, 5555)
    await until(async () => {
      socket.say('x', INTERNET.ipv4, 7001)
      return isSettled(INTERNET.ipv4)
    })
    const ends = { from: addressOf('eve').ipv4, to: INTERNET.ipv4 }
    const about = { from: INTERNET.ipv4, to: addressOf('eve').ipv4, fromPort: 7001, toPort: 5555 }
    await sendRaw(node.machine('eve'), [unreachable(ends, about)])
    // What is sent after it has come.
    const before = server.heard.length
    socket.say('x', INTERNET.ipv4, 7001)
    await until(() => server.heard.length > before)
    expect(await node.net.run('nft', 'list', 'table', 'inet', 'ears')).toContain('packets 0 ')
    await Promise.all([server.close(), socket.close()])
  })
})

test('What was settled is settled no more after another look around', () => {
  const marksOf = (text: string) => new Set(text.match(/\d{3,}/g))
  const [first, second] = [settledText('t', ['up0'], 7), settledText('t', ['up0'])].map(marksOf)
  expect(first?.size).toBe(MARKS.length - 1)
  expect([...(first ?? [])].filter((mark) => second?.has(mark))).toEqual([])
})
