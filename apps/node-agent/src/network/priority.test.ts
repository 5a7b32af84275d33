import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cannotRun } from '#testing/namespaces.ts'
import { type Customer, createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

const reason = cannotRun()
const sender = fileURLToPath(new URL('../testing/sender.ts', import.meta.url))
const BANDWIDTH_MBIT = 40

describe.skipIf(reason)(`Priority bandwidth${reason ? ` (${reason})` : ''}`, () => {
  let node: TestNode

  beforeAll(async () => {
    node = await createTestNode({ bandwidthMbit: BANDWIDTH_MBIT, prioritySharePercent: 80 })
    await node.start('net', 'sender.ts', 'serve', '9000')
    await node.startAgent()
    await node.ensure([])
  })
  afterAll(() => node?.remove())
  beforeEach(() => node.apply([policy('ann', { hasPriority: true }), policy('ben')]))

  const rate = async (name: Customer, what: 'download' | 'upload'): Promise<number> => {
    const port = what === 'upload' ? '5001' : '9000'
    return Number((await node.run(name, process.execPath, sender, what, INTERNET.ipv4, port, '2')).out)
  }

  it.each(['download', 'upload'] as const)(
    'gets more of each %s than others when the link is full',
    async (what) => {
      const [priority, normal] = await Promise.all([rate('ann', what), rate('ben', what)])
      console.info(`${what}, ${BANDWIDTH_MBIT} Mbit/s full: priority ${priority}, normal ${normal} Mbit/s`)
      expect(priority).toBeGreaterThan(normal)
      expect(normal).toBeGreaterThan(0)
    },
  )

  it('is the other one’s as soon as that one has bought it', async () => {
    await node.apply([policy('ann'), policy('ben', { hasPriority: true })])
    const [normal, priority] = await Promise.all([rate('ann', 'download'), rate('ben', 'download')])
    expect(priority).toBeGreaterThan(normal)
  })

  it('slows nobody while there is room: alone, both have the whole link', async () => {
    const normal = await rate('ben', 'download')
    const priority = await rate('ann', 'download')
    console.info(`Alone: priority ${priority} Mbit/s, normal ${normal} Mbit/s`)
    expect(normal).toBeGreaterThan(priority * 0.6)
  })
})
