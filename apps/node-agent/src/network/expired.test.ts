import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PAGE_IPV4, PAGE_IPV6 } from '#network/own-addresses.ts'
import { createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

const yesterday = () => new Date(Date.now() - 86_400_000)

/** A flow that says something every 100 ms, and ends when it is refused. */
const openFlow = (port: number) => `
  const socket = require('net').connect(${port}, '${INTERNET.ipv4}')
  socket.on('connect', () => { console.log('open'); socket.write('GET / HTTP/1.1\\r\\nX-Long: '); setInterval(() => socket.write('.'), 100) })
  socket.on('data', () => process.stdout.write('.')).on('error', (error) => { console.log(error.code); process.exit() })`

describe('An expired customer', () => {
  let node: TestNode
  let eve: ReturnType<TestNode['customer']>

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    eve = node.customer('eve')
    await node.startAgent()
    await node.ensure([])
    await until(() => eve.ask('www.example.com'))
  })
  afterAll(() => node?.remove())
  beforeEach(() => node.apply([policy('eve', { expiresAt: yesterday() })]))

  test('gets the address of the page for any name', async () => {
    for (const name of ['www.example.com', 'com', 'a.b.c.d.example']) {
      expect(await eve.ask(name)).toBe(PAGE_IPV4)
      expect(await eve.ask(name, '2001:4860:4860::8888', 'AAAA')).toBe(PAGE_IPV6)
    }
  })

  test('gets the page in place of any site, over IPv4 and IPv6', async () => {
    for (const url of [
      `http://${INTERNET.ipv4}/generate_204`,
      `http://[${INTERNET.ipv6}]/x?y`,
      `http://${PAGE_IPV4}/`,
    ]) {
      expect(await eve.fetch(url), url).toContain('This connection has expired')
    }
    expect(
      await eve.fetch('http://captive.example/', '--resolve', `captive.example:80:${PAGE_IPV4}`),
    ).toContain('https://shop.example/products')
  })

  test('reaches nothing else, and is told so at once', async () => {
    expect(await eve.pings(INTERNET.ipv4)).toBe(false)
    for (const address of [INTERNET.ipv4, INTERNET.ipv6]) {
      expect(
        await eve.fetch(address.includes(':') ? `https://[${address}]/` : `https://${address}/`),
      ).toMatch(/refused|Couldn't connect|Failed to connect/)
    }
  })

  test.each([443, 80])('loses a connection to port %i that was open', async (port) => {
    await node.apply([policy('eve')])
    const flow = node.machine('eve').spawn(process.execPath, ['-e', openFlow(port)])
    let said = ''
    flow.stdout?.on('data', (data) => (said += data))
    await until(() => said.includes('open'))
    await node.apply([policy('eve', { expiresAt: yesterday() })])
    await until(() => /ECONN|EPIPE/.test(said))
  })

  test('expires while the agent is dead, and comes back with it', async () => {
    await node.apply([policy('eve')])
    await until(() => eve.pings(INTERNET.ipv4))
    await node.apply([policy('eve', { expiresAt: new Date(Date.now() + 2_000) })])
    await node.killAgent()
    await until(async () => !(await eve.pings(INTERNET.ipv4)))
    expect(await eve.ask('www.example.com')).toBe(PAGE_IPV4)
    await node.startAgent()
    await node.ensure([policy('eve')])
    await until(() => eve.pings(INTERNET.ipv4))
    await until(async () => (await eve.ask('www.example.com')) === INTERNET.ipv4)
  })

  test('has everything again as soon as it is renewed', async () => {
    const ask = () => eve.ask('www.example.com', '10.90.0.1', '-b', '10.90.0.4#5353')
    expect(await ask()).toBe(PAGE_IPV4)
    await node.apply([policy('eve', { expiresAt: new Date(Date.now() + 86_400_000) })])
    expect(await ask()).toBe(INTERNET.ipv4)
    expect(await eve.fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
  })
})
