import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

describe('The resolver of a node', () => {
  let node: TestNode
  let ann: ReturnType<TestNode['customer']>
  let ben: ReturnType<TestNode['customer']>

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    ann = node.customer('ann')
    ben = node.customer('ben')
    await node.writeList('ads', '0.0.0.0 ads.example.com\n')
    await node.writeList('malicious', 'evil.example.org\n')
    await node.writeList('family', '||casino.example.net^\n')
    await node.startAgent()
    await node.ensure([policy('ann'), policy('ben')])
    await until(async () => (await ben.ask('www.example.com')) === INTERNET.ipv4)
  })
  afterAll(() => node?.remove())
  beforeEach(() => node.apply([policy('ann'), policy('ben')]))

  test('blocks an ad name and what is below it for the customer who bought the filter, and for no one else', async () => {
    await node.apply([policy('ann', { filters: 1 })])
    expect(await ann.ask('ads.example.com')).toBe('NXDOMAIN')
    expect(await ann.ask('pixel.ads.example.com', undefined, 'AAAA')).toBe('NXDOMAIN')
    expect(await ann.ask('www.example.com')).toBe(INTERNET.ipv4)
    expect(await ben.ask('ads.example.com')).toBe(INTERNET.ipv4)
  })

  test('blocks an alias of a listed name each time, and never for one without the filter who asked first', async () => {
    await node.apply([policy('ann', { filters: 1 })])
    for (let time = 1; time <= 4; time++) {
      expect(await ben.ask('alias.example.com'), `question ${time}`).toBe(INTERNET.ipv4)
      expect(await ann.ask('alias.example.com'), `question ${time}`).toBe('NXDOMAIN')
    }
  })

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'blocks by each list that a choice of %i names, and by no other',
    async (filters) => {
      await node.apply([policy('ann', { filters })])
      const names = ['ads.example.com', 'evil.example.org', 'casino.example.net']
      const answers = await Promise.all(names.map((name) => ann.ask(name)))
      expect(answers.map((answer) => answer === 'NXDOMAIN')).toEqual(
        [1, 2, 4].map((bit) => (filters & bit) !== 0),
      )
    },
  )

  test('changes at once, without the client, even one that asks from the same port as before', async () => {
    const ask = () => ann.ask('ads.example.com', '10.90.0.1', '-b', '10.90.0.2#5353')
    expect(await ask()).toBe(INTERNET.ipv4)
    await node.apply([policy('ann', { filters: 1 })])
    expect(await ask()).toBe('NXDOMAIN')
    await node.apply([policy('ann', { hasPriority: true })])
    expect(await ask()).toBe(INTERNET.ipv4)
  })

  test('answers what is asked of anyone else: over UDP and TCP, IPv4 and IPv6', async () => {
    await node.apply([policy('ann', { filters: 1 })])
    for (const server of ['8.8.8.8', '10.90.0.1', '2001:4860:4860::8888', '2001:db8:90::1']) {
      for (const how of ['+notcp', '+tcp']) {
        expect(await ann.ask('www.example.com', server, how), `${server} ${how}`).toBe(INTERNET.ipv4)
        expect(await ann.ask('ads.example.com', server, how), `${server} ${how}`).toBe('NXDOMAIN')
      }
    }
  })

  test('keeps family from DNS over TLS and from known resolvers over HTTPS', async () => {
    await until(() => ann.connects(INTERNET.ipv4, 853))
    await until(() => ann.connects('8.8.4.4', 443))
    await node.apply([policy('ann', { filters: 4 })])
    expect(await ann.connects(INTERNET.ipv4, 853)).toBe(false)
    expect(await ann.connects(INTERNET.ipv6, 853)).toBe(false)
    expect(await ann.connects('8.8.4.4', 443)).toBe(false)
    await until(() => ann.connects(INTERNET.ipv4, 443))
    expect(await ann.ask('use-application-dns.net')).toBe('NXDOMAIN')
  })

  test('reads a changed list, and goes on answering meanwhile', async () => {
    await node.apply([policy('ann', { filters: 1 })])
    const lines = Array.from({ length: 50_000 }, (_, i) => `ad${i}.example.org`)
    await node.writeList('ads', ['ads.example.com', 'new.example.com', ...lines].join('\r\n'))
    const answers: string[] = []
    await until(async () => {
      answers.push(await ben.ask(`still${answers.length}.example.com`))
      return (await ann.ask('new.example.com')) === 'NXDOMAIN'
    })
    expect(new Set(answers)).toEqual(new Set([INTERNET.ipv4]))
    expect(await ann.ask('ads.example.com')).toBe('NXDOMAIN')
    expect(await ann.ask('ad49999.example.org')).toBe('NXDOMAIN')
  })
})
