import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

const EACH = 200
const ECHO = 5001

/** So many connections over IPv4 and over IPv6, which stay open. */
const OPEN = `const { connect } = require('net')
  for (const host of ['${INTERNET.ipv4}', '${INTERNET.ipv6}'])
    for (let i = 0; i < ${EACH}; i++) connect(${ECHO}, host).on('error', () => undefined)
  setInterval(() => undefined, 1000)`

/** Says a byte as often as the server has answered the one before. */
const TALK = `const socket = require('net').connect(${ECHO}, '${INTERNET.ipv4}').on('error', () => process.exit(1))
  socket.on('data', () => { process.stdout.write('.'); setTimeout(() => socket.write('x'), 50) }).write('x')`

const another = { ...policy('eve'), ipv4: '10.90.0.77', ipv6: '2001:db8:90::77' }
const yesterday = () => new Date(Date.now() - 86_400_000)

describe('Connections of an address that is gone', () => {
  let node: TestNode

  // A new node for each test, with an empty table.
  beforeEach(async () => {
    requireTunnels()
    node = await createTestNode()
  })
  afterEach(() => node?.remove())

  const entriesOf = async (address: string): Promise<number> => {
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    const { out } = await node.node.attempt('conntrack', '-L', '-f', family, '-s', address)
    return out.split('\n').filter((line) => line.includes(`src=${address} `)).length
  }
  const entriesOfEve = async () =>
    (await entriesOf(policy('eve').ipv4)) + (await entriesOf(policy('eve').ipv6))

  const fill = async () => {
    await node.ensure([policy('ann'), policy('eve')])
    node.machine('eve').spawn(process.execPath, ['-e', OPEN])
    await until(async () => (await entriesOfEve()) >= 2 * EACH)
  }

  test.each<[why: string, change: () => Promise<unknown>]>([
    ['was removed', () => node.apply([], [policy('eve')])],
    ['has expired', () => node.apply([policy('eve', { expiresAt: yesterday() })])],
    ['was replaced by another', () => node.apply([another], [policy('eve')])],
    ['was put into the rules by somebody else', () => node.heal([policy('ann')])],
    ['is not among those that the node is made anew with', () => node.ensure([policy('ann')])],
  ])('leave the table when it %s, and no one else’s do', async (_, change) => {
    await node.startAgent()
    await fill()
    const talk = node.machine('ann').spawn(process.execPath, ['-e', TALK])
    let heard = 0
    talk.stdout?.on('data', (data) => (heard += data.length))
    await until(() => heard > 0)
    await change()
    await until(async () => (await entriesOfEve()) === 0)
    const before = heard
    await until(() => heard > before + 3)
    expect(await entriesOf(policy('ann').ipv4)).toBeGreaterThan(0)
  })

  test('stay where the tool that deletes them is missing, and everything else is done', async () => {
    await node.startAgent({ missing: 'conntrack' })
    await fill()
    await node.apply([], [policy('eve')])
    expect(await node.customer('eve').pings(INTERNET.ipv4)).toBe(false)
    await until(() => node.customer('ann').pings(INTERNET.ipv4))
    expect(await node.heal([policy('ann')])).toEqual([])
    expect(await entriesOfEve()).toBeGreaterThanOrEqual(2 * EACH)
  })
})
