import { readFileSync } from 'node:fs'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGE_IPV4 } from '#network/own-addresses.ts'
import { createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

/** The administrator's, as the manual gives it. */
const MANUAL = readFileSync(new URL('../../../../docs/node.md', import.meta.url), 'utf8')
const RULES = /```nft\n([\s\S]*?)```/.exec(MANUAL)?.[1]?.replaceAll('eth0', 'up0') ?? ''

let node: TestNode

beforeAll(async () => {
  requireTunnels()
  node = await createTestNode()
  await node.writeList('ads', 'ads.example.com\n')
  await node.node.run('sh', '-c', `nft -f - <<'END'\n${RULES}\nEND`)
  await node.startAgent()
  await node.ensure([policy('ann', { filters: 1 })])
})
afterAll(() => node?.remove())

test('beside a firewall that drops all but what the manual says, customers are served', async () => {
  const [ann, ben] = [node.customer('ann'), node.customer('ben')]
  await until(async () => (await ann.ask('www.example.com')) === INTERNET.ipv4)
  expect(await ann.ask('www.example.com', undefined, '+tcp')).toBe(INTERNET.ipv4)
  expect(await ann.ask('www.example.com', '2001:4860:4860::8888')).toBe(INTERNET.ipv4)
  expect(await ann.ask('ads.example.com')).toBe('NXDOMAIN')
  await until(() => ann.pings(INTERNET.ipv6))
  expect(await ann.fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
  expect(await ann.fetch('http://am-i-protected.internal/')).toContain('You are connected')
  // An expired one gets the page.
  expect(await ben.ask('www.example.com')).toBe(PAGE_IPV4)
  expect(await ben.fetch(`http://${PAGE_IPV4}/`)).toContain('This connection has expired')
})
