import { requireTunnels } from '@hedgerow/testing/namespaces'
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
  afterAll(() => node?.remove(), 30_000)
  beforeEach(() => node.apply([policy('ann', { hasPriority: true }), policy('ben')]))

  const rate = (name: Customer, what: 'download' | 'upload'): Promise<number> => {
    const { downloads, uploads } = node.customer(name)
    return what === 'upload' ? uploads(INTERNET.ipv4, 5001, 1) : downloads(INTERNET.ipv4, 9000, 1)
  }

  test.each(['download', 'upload'] as const)(
    'gets more of each %s than others when the link is full',
    async (what) => {
      const [priority, normal] = await Promise.all([rate('ann', what), rate('ben', what)])
      console.info(`${what}, ${BANDWIDTH_MBIT} Mbit/s full: priority ${priority}, normal ${normal} Mbit/s`)
      expect(priority).toBeGreaterThan(normal)
      expect(normal).toBeGreaterThan(0)
    },
  )

  test('is the other one’s as soon as that one has bought it', async () => {
    await node.apply([policy('ann'), policy('ben', { hasPriority: true })])
    const [normal, priority] = await Promise.all([rate('ann', 'download'), rate('ben', 'download')])
    expect(priority).toBeGreaterThan(normal)
  })

  test('slows nobody while there is room: alone, both have the whole link', async () => {
    const normal = await rate('ben', 'download')
    const priority = await rate('ann', 'download')
    console.info(`Alone: priority ${priority} Mbit/s, normal ${normal} Mbit/s`)
    expect(normal).toBeGreaterThan(priority * 0.6)
  })
})
