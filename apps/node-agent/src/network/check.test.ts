import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECK_IPV4, CHECK_IPV6, PAGE_IPV4 } from '#network/own-addresses.ts'
import { createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

const yesterday = () => new Date(Date.now() - 86_400_000)
const URL_BY_NAME = `http://${CHECK_HOST}/`

describe('The page by which customers see that they are connected', () => {
  let node: TestNode
  let ann: ReturnType<TestNode['customer']>
  let eve: ReturnType<TestNode['customer']>

  /** As a browser opens it: the name is asked of the tunnel's resolver, on whichever family. */
  const openByName = async (who: typeof ann, address: string, path = '') =>
    who.fetch(`${URL_BY_NAME}${path}`, '--resolve', `${CHECK_HOST}:80:${address}`)

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    ann = node.customer('ann')
    eve = node.customer('eve')
    await node.startAgent()
    await node.ensure([policy('ann', { filters: 7 }), policy('eve', { expiresAt: yesterday() })])
    await until(() => ann.ask('www.example.com'))
  })
  afterAll(() => node?.remove())

  test('has a name that the node’s own resolver knows, whatever filters are on and whichever server was asked', async () => {
    for (const filters of [0, 7]) {
      await node.apply([policy('ann', { filters })])
      expect(await ann.ask(CHECK_HOST)).toBe(CHECK_IPV4)
      expect(await ann.ask(CHECK_HOST, '2001:4860:4860::8888', 'AAAA')).toBe(CHECK_IPV6)
      expect(await ann.ask(`x.${CHECK_HOST}`)).toBe('NXDOMAIN')
    }
  })

  test('says so, with the place, and where to see the address that sites see', async () => {
    for (const address of [CHECK_IPV4, `[${CHECK_IPV6}]`]) {
      const page = await openByName(ann, address)
      expect(page).toContain('You are connected, in Leeds &amp; &lt;b&gt;York&lt;/b&gt;')
      expect(page).toContain('by a name that only our own DNS knows')
      expect(page).toContain('https://shop.example/check')
    }
    expect(JSON.parse(await openByName(ann, CHECK_IPV4, 'json'))).toEqual({
      connected: true,
      place: 'Leeds & <b>York</b>',
      dns: true,
    })
  })

  test('says of its bare address only that the tunnel is used', async () => {
    const page = await ann.fetch(`http://${CHECK_IPV4}/`)
    expect(page).toContain('You are connected')
    expect(page).not.toContain('by a name that only our own DNS knows')
    expect(JSON.parse(await ann.fetch(`http://${CHECK_IPV4}/json`))).toMatchObject({ dns: false })
  })

  test('tells customers apart by nothing, is not kept, and loads nothing from elsewhere', async () => {
    const page = await openByName(ann, CHECK_IPV4)
    expect(page).not.toMatch(/10\.90\.|2001:db8:90|<script|<link| src=/)
    const head = await ann.fetch(`http://${CHECK_IPV4}/`, '-I')
    expect(head).toMatch(/Cache-Control: no-store/)
    expect(head).toMatch(/default-src 'none'/)
  })

  test('tells pages of other sites nothing: neither one that loads it, nor one whose name was made to lead there', async () => {
    const head = await ann.fetch(`${URL_BY_NAME}json`, '-I', '--resolve', `${CHECK_HOST}:80:${CHECK_IPV4}`)
    expect(head).toMatch(/Cross-Origin-Resource-Policy: same-origin/)
    expect(head).not.toMatch(/Access-Control-/)
    for (const host of ['rebound.example', `${CHECK_HOST}.rebound.example`, `${CHECK_IPV4}:8080`]) {
      const answer = await ann.fetch(`http://${CHECK_IPV4}/json`, '-i', '-H', `Host: ${host}`)
      expect(answer).toMatch(/^HTTP\/1.1 421 /)
      expect(answer).not.toMatch(/Leeds|connected/)
    }
  })

  test('is out of reach of the expired, who get their own page by every name', async () => {
    expect(await eve.ask(CHECK_HOST)).toBe(PAGE_IPV4)
    for (const address of [CHECK_IPV4, PAGE_IPV4]) {
      const page = await openByName(eve, address)
      expect(page).toContain('This connection has expired')
      expect(page).not.toContain('You are connected')
    }
  })

  test('does not open other doors: neither other ports, nor the page for the expired', async () => {
    expect(await ann.connects(CHECK_IPV4, 22)).toBe(false)
    expect(await ann.connects(CHECK_IPV4, 443)).toBe(false)
    expect(await ann.connects(PAGE_IPV4, 80)).toBe(false)
    expect(await ann.fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
  })

  test('cannot be reached from the internet', async () => {
    const { out } = await node.net.attempt(
      'sh',
      '-c',
      `ip route replace ${CHECK_IPV4} via 203.0.113.1 dev up1; curl -sS -m 2 http://${CHECK_IPV4}/ 2>&1`,
    )
    expect(out).not.toContain('You are connected')
  })

  test('is heard by one who floods it no longer than others wait', async () => {
    const flood = ann.run(
      'sh',
      '-c',
      `for n in $(seq 60); do (timeout 6 sleep 6 | timeout 6 nc ${CHECK_IPV4} 80) & done; sleep 4`,
    )
    await node.apply([policy('ben')])
    const ben = node.customer('ben')
    await until(async () => (await ben.fetch(`http://${CHECK_IPV4}/`)).includes('You are connected'))
    await flood
  })

  test('does not keep the agent busy with one customer: some dozens of requests pass at once, and then few', async () => {
    await node.apply([policy('ben')])
    const ben = node.customer('ben')
    await until(async () => (await ben.fetch(`http://${CHECK_IPV4}/`)).includes('You are connected'))
    for (const host of [CHECK_IPV4, `[${CHECK_IPV6}]`]) {
      const ask = `const start = performance.now(); let n = 0; const one = () => require('http').get('http://${host}/json', { agent: false }, (r) => { r.resume(); r.on('end', () => { n++; one() }) }).on('error', one); for (let i = 0; i < 8; i++) one()
        setInterval(() => { const s = (performance.now() - start) / 1000; if (s > 4 && n > 20) { console.log(n, s); process.exit() } }, 100)`
      const { out } = await ben.run('timeout', '45', process.execPath, '-e', ask)
      const [answered = 0, seconds = 0] = out.trim().split(' ').map(Number)
      expect(answered).toBeGreaterThan(20)
      expect(answered).toBeLessThan(50 + 25 * seconds)
    }
  })

  test('goes on when the connection ends: then it is the page for the expired', async () => {
    await node.apply([policy('ann', { expiresAt: yesterday() })])
    expect(await openByName(ann, CHECK_IPV4)).toContain('This connection has expired')
    await node.apply([policy('ann')])
    expect(await openByName(ann, CHECK_IPV4)).toContain('You are connected')
  })
})
