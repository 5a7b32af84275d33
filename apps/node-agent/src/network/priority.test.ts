import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

const BANDWIDTH_MBIT = 40

describe('Priority bandwidth', () => {
  let node: TestNode

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode({ bandwidthMbit: BANDWIDTH_MBIT, prioritySharePercent: 80 })
    await node.startAgent()
    await node.ensure([])
  })
  afterAll(() => node?.remove())
  beforeEach(() => node.apply([policy('ann', { hasPriority: true }), policy('ben')]))

  const rate = (name: Customer, what: 'download' | 'upload'): Promise<number> => {
    const { downloads, uploads } = node.customer(name)
    return what === 'upload' ? uploads(INTERNET.ipv4, 5001, 1) : downloads(INTERNET.ipv4, 9000, 1)
  }

  /** A busy machine may let one of the two begin late: then both have a link of their own for a while. */
  const untilShared = (what: 'download' | 'upload', withPriority: Customer, without: Customer) =>
    until(async () => {
      const [priority, normal] = await Promise.all([rate(withPriority, what), rate(without, what)])
      console.info(`${what}, ${BANDWIDTH_MBIT} Mbit/s full: priority ${priority}, normal ${normal} Mbit/s`)
      expect(normal).toBeGreaterThan(0)
      expect(priority).toBeGreaterThan(1.5 * normal)
      return true
    })

  test.each(['download', 'upload'] as const)(
    'gets more of each %s than others when the link is full',
    async (what) => {
      await untilShared(what, 'ann', 'ben')
    },
  )

  test('is the other one’s as soon as that one has bought it', async () => {
    await node.apply([policy('ann'), policy('ben', { hasPriority: true })])
    await untilShared('download', 'ben', 'ann')
  })

  test('slows nobody while there is room: alone, both have the whole link', async () => {
    await until(async () => {
      const normal = await rate('ben', 'download')
      const priority = await rate('ann', 'download')
      console.info(`Alone: priority ${priority} Mbit/s, normal ${normal} Mbit/s`)
      expect(normal).toBeGreaterThan(priority * 0.6)
      return true
    })
  })

  test('goes on in the same queues when the agent is started again, with the share that is set now', async () => {
    const tc = async (what: 'qdisc' | 'class', device: string) =>
      (await node.node.run('tc', '-s', what, 'show', 'dev', device)).replaceAll('\n', ' ')
    /** Bytes; a queue that is made anew counts from 0. */
    const sent = async () => {
      const queues = await Promise.all(['wg0', 'up0'].map((device) => tc('qdisc', device)))
      return queues.map((text) => Number(/htb 1: root .*? Sent (\d+) bytes/.exec(text)?.[1]))
    }
    const before = await until(async () => {
      await rate('ann', 'download')
      await rate('ann', 'upload')
      const bytes = await sent()
      return bytes.every((each) => each > 100_000) && bytes
    })
    await node.killAgent()
    await node.startAgent({ prioritySharePercent: 90 })
    await node.ensure([policy('ann', { hasPriority: true }), policy('ben')])
    const after = await sent()
    for (const [index, bytes] of before.entries()) {
      expect(after[index]).toBeGreaterThanOrEqual(bytes)
    }
    expect(await tc('class', 'wg0')).toMatch(/htb 1:10 .* rate 32400Kbit ceil 36Mbit/)
    expect(await tc('class', 'up0')).toMatch(/htb 1:10 .* rate 18Mbit ceil 40Mbit/)
  })
})
