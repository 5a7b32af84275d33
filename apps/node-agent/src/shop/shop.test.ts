import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentPeer } from '@hedgerow/contract/agents'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, describe, expect, test } from 'vitest'
import { createNodeRig, type NodeRig } from '#testing/node-rig.ts'
import { aPeer, manyPeers } from '#testing/peers.ts'

beforeAll(requireTunnels)

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

const running = async (timings = {}) => {
  const rig = await createNodeRig()
  const peer = aPeer(2).peer
  rig.shop.set(peer)
  const agent = rig.start({}, { longestPauseMs: 400, ...timings })
  await rig.holds([peer])
  // Until it has said so, it may ask once more at any moment, and take an answer that is meant for another question.
  await until(() => rig.shop.faults() === '')
  return { rig, peer, agent }
}

const hasApplied = (rig: NodeRig) =>
  until(async () => (await rig.ask('/metrics')).includes(`hedgerow_agent_revision ${rig.shop.revision()}`))

/** Tells when each of them ends and goes, by a clock that is so far ahead. Again, and later, until the agent knows it before. */
const tellEnds = async (rig: NodeRig, peers: readonly AgentPeer[], aheadMs = 0) => {
  for (let factor = 1; ; factor *= 2) {
    const told = peers.map((peer, at) => ({
      ...peer,
      expiresAt: soon(aheadMs + 1_000 * factor),
      removeAt: soon(aheadMs + 1_000 * factor * (at + 2)),
    }))
    rig.shop.set(...told)
    await hasApplied(rig)
    if (told[0] && Date.now() + aheadMs < Date.parse(told[0].expiresAt)) return told
  }
}

describe('enrolment', () => {
  test('a token that the shop refuses is one clear line, and exit code 2', async () => {
    const rig = await createNodeRig()
    const agent = rig.start({ AGENT_TOKEN: 'x'.repeat(43), AGENT_LOG_LEVEL: 'silent' })
    expect(await agent.ended).toBe(2)
    expect(agent.output().trim().split('\n')).toEqual([
      expect.stringMatching(/^The shop refuses AGENT_TOKEN/),
    ])
  })

  test('without a token, and with wrong settings, the agent says so and ends with 2', async () => {
    const rig = await createNodeRig()
    const without = rig.start({ AGENT_TOKEN: '', AGENT_LOG_LEVEL: 'silent' })
    expect(await without.ended).toBe(2)
    expect(without.output()).toMatch(/^AGENT_TOKEN is required/)
    const wrong = rig.start({ AGENT_USAGE: 'maybe', AGENT_BANDWIDTH: 'x' })
    expect(await wrong.ended).toBe(2)
    expect(wrong.output().trim().split('\n')).toHaveLength(2)
  })

  test('a state that cannot be kept, and a second agent on a server, are one clear line, and exit code 2', async () => {
    const { rig } = await running()
    const second = rig.start({ AGENT_METRICS_PORT: '0', AGENT_INTERFACE: 'other' })
    expect(await second.ended).toBe(2)
    expect(second.output()).toBe('Another agent is already running on this server\n')
    const other = await createNodeRig()
    const kept = join(other.stateDir, 'file')
    writeFileSync(kept, '')
    const without = other.start({ AGENT_STATE_DIR: join(kept, 'state') })
    expect(await without.ended).toBe(2)
    expect(without.output()).toMatch(/^AGENT_STATE_DIR: .* cannot be read and written \(ENOTDIR\)\n$/)
  })

  test('one whose answer was lost is repeated with the same keys; later no token is needed', async () => {
    const rig = await createNodeRig()
    rig.shop.insteadOfNext('hang up', { status: 503 })
    const peer = aPeer(2).peer
    rig.shop.set(peer)
    const agent = rig.start()
    await rig.holds([peer])
    expect(rig.shop.enrolments()).toBe(3)
    const file = join(rig.stateDir, 'identity.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(rig.stateDir).mode & 0o777).toBe(0o700)
    const { publicKey, privateKey } = JSON.parse(readFileSync(file, 'utf8'))
    expect(publicKey).toBe(rig.shop.publicKey())
    expect(await agent.kill('SIGTERM')).toBe(0)
    expect(agent.output()).not.toContain(privateKey)
    rig.start({ AGENT_TOKEN: '' })
    await rig.holds([peer])
    expect(rig.shop.enrolments()).toBe(3)
  })
})

describe('a node cut off from the shop', () => {
  test('removes what is to be removed at its time, and what ended while the agent was off', async () => {
    const { rig, peer, agent } = await running()
    const late = aPeer(5, { expiresAt: soon(3_600_000), removeAt: soon(7_200_000) }).peer
    const ending = [aPeer(3).peer, aPeer(4).peer]
    rig.shop.set(...ending, late)
    await rig.holds([peer, ...ending, late])
    const [first, second] = await tellEnds(rig, ending)
    await rig.shop.vanish()
    await until(async () => !(await rig.keys()).includes(first?.publicKey ?? ''))
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(first?.removeAt ?? ''))
    await until(async () => /hedgerow_agent_expired_total [2-9]/.test(await rig.ask('/metrics')))
    await agent.kill('SIGKILL')
    await until(() => Date.now() > Date.parse(second?.removeAt ?? ''))
    rig.start()
    await rig.holds([peer, late])
  })

  test('comes back after a restart with what it knew', async () => {
    const { rig, peer, agent } = await running()
    await rig.shop.vanish()
    expect(await agent.kill('SIGTERM')).toBe(0)
    await expect(rig.keys()).rejects.toThrow()
    rig.start()
    await rig.holds([peer])
  })
})

test.each([
  ['a day ahead', -86_400_000],
  ['a day behind', 86_400_000],
])('a server whose clock is %s ends connections by the time of the shop', async (_how, shopAheadMs) => {
  const rig = await createNodeRig()
  rig.shop.setClock(shopAheadMs)
  const at = (ms: number) => soon(shopAheadMs + ms)
  const open = aPeer(2, { expiresAt: at(3_600_000), removeAt: at(7_200_000) }).peer
  const ending = aPeer(3).peer
  rig.shop.set(open, ending)
  const agent = rig.start()
  await rig.holds([open, ending])
  await until(async () => (await rig.marks()).includes(open.ipv4))
  await tellEnds(rig, [ending], shopAheadMs)
  await until(async () => /hedgerow_agent_expired_total [1-9]/.test(await rig.ask('/metrics')))
  await rig.holds([open])
  expect(await rig.marks()).toContain(open.ipv4)
  expect(await rig.ask('/healthz')).toMatch(/^503 .*The clock of this server is 24 hours (ahead|behind)/)
  expect(agent.output()).toMatch(/"aheadS":-?8\d{4},.*The clock of this server differs from the shop’s/)
})

test.each([
  ['a year ahead', 365 * 86_400_000],
  ['a year behind', -365 * 86_400_000],
])(
  'an agent that starts with the clock %s drops nothing valid before the shop has spoken',
  async (_how, ahead) => {
    const rig = await createNodeRig()
    const peer = aPeer(2, { expiresAt: soon(3_600_000), removeAt: soon(7_200_000) }).peer
    rig.shop.set(peer)
    const agent = rig.start()
    await rig.holds([peer])
    await until(async () => (await rig.marks()).includes(peer.ipv4))
    await agent.kill('SIGTERM')
    await rig.shop.vanish()
    rig.start({ TEST_CLOCK_AHEAD_MS: String(ahead) })
    await rig.holds([peer])
    await until(async () => (await rig.ask('/healthz').catch(() => '')).includes('the interface is up'))
    const marks = await rig.marks()
    expect(marks).toContain(peer.ipv4)
    expect(marks, 'it ends in an hour at most').not.toMatch(/expires \d+d/)
  },
)

describe('changes', () => {
  test('twice the same change, and a removal of what is not there, change nothing', async () => {
    const { rig, peer } = await running()
    rig.shop.set(peer)
    rig.shop.remove(aPeer(9).peer)
    rig.shop.set(peer)
    await hasApplied(rig)
    expect(await rig.keys()).toEqual([peer.publicKey])
    expect(await rig.ask('/metrics')).toContain('hedgerow_agent_changes_total 1')
  })

  test('a peer that is to be removed already is not set', async () => {
    const { rig, peer } = await running()
    const [over, next] = [aPeer(3, { removeAt: soon(-1_000) }).peer, aPeer(4).peer]
    rig.shop.set(over, next)
    await rig.holds([peer, next])
  })

  test('an address that passes from one peer to another in one answer works for the new one', async () => {
    const { rig, peer } = await running()
    const heir = aPeer(2).peer
    rig.shop.remove(peer)
    rig.shop.set(heir)
    await rig.holds([heir])
    expect((await rig.read()).peers.get(heir.publicKey)?.allowedIps).toHaveLength(2)
  })

  test('a revision that the shop forgot leads to everything, and what is not named goes', async () => {
    const { rig, peer } = await running()
    const [kept, dropped] = [manyPeers(600), aPeer(3).peer]
    rig.shop.set(dropped, ...kept)
    await rig.holds([peer, dropped, ...kept])
    rig.shop.forget(dropped)
    await rig.holds([peer, ...kept])
  })

  test('everything is asked for now and then, and only the difference is applied', async () => {
    const { rig, peer } = await running({ resyncMs: 700 })
    await until(() => rig.shop.polls.filter(({ since }) => since === 0).length > 2)
    expect(await rig.keys()).toEqual([peer.publicKey])
    expect(await rig.ask('/metrics')).toContain('hedgerow_agent_changes_total 1')
  })

  test('an older revision than was asked from leads to everything', async () => {
    const { rig, peer } = await running()
    const stray = aPeer(3).peer
    const body = {
      node: rig.shop.node,
      revision: 0,
      hasMore: false,
      isForgotten: false,
      peers: [stray],
      gone: [],
    }
    rig.shop.insteadOfNext({ status: 200, body })
    await until(() => rig.shop.polls.filter(({ since }) => since === 0).length > 1)
    const next = aPeer(4).peer
    rig.shop.set(next)
    await rig.holds([peer, next])
  })

  test.each([
    ['an address that is none', { ipv4: '10.64.0.3\nprivate_key=00' }],
    ['a key that is none', { publicKey: 'no key' }],
    ['a time that is none', { removeAt: 'tomorrow' }],
    ['a filter that is none', { filters: 8 }],
  ])(
    'a peer with %s is left out, the others of its answer are served, and nothing of it is logged',
    async (_what, but) => {
      const { rig, peer, agent } = await running()
      const [good, bad] = [aPeer(3).peer, { ...aPeer(4).peer, ...but }]
      rig.shop.setUnchecked(good, bad)
      await rig.holds([peer, good])
      // One that is known stays as it was, when everything is asked for too.
      rig.shop.setUnchecked({ ...good, ...but })
      rig.shop.forget()
      await until(() => rig.shop.polls.filter(({ since }) => since === 0).length > 1)
      const next = aPeer(5).peer
      rig.shop.set(next)
      await rig.holds([peer, good, next])
      for (const secret of [good.publicKey, good.presharedKey, bad.ipv6, good.id])
        expect(agent.output()).not.toContain(secret)
    },
  )

  test('an answer that is none changes nothing, and the next one is followed', async () => {
    const { rig, peer, agent } = await running()
    const body = {
      node: { ...rig.shop.node, ipv4: 'none' },
      revision: 99,
      hasMore: false,
      isForgotten: false,
      peers: [],
      gone: [{ id: peer.id, publicKey: peer.publicKey }],
    }
    rig.shop.insteadOfNext(
      { status: 200, body },
      { status: 200, body: '<html>The shop is being looked after</html>' },
      { status: 502, body: '<html>Bad gateway</html>' },
      { status: 500 },
      'hang up',
    )
    await until(() => agent.output().split('could not be fetched').length > 5)
    expect(await rig.keys()).toEqual([peer.publicKey])
    rig.shop.cutNext()
    const next = aPeer(5).peer
    rig.shop.set(next)
    await rig.holds([peer, next])
    await until(() => agent.output().split('could not be fetched').length > 6)
  })

  test('other pools mean other addresses of everyone, and everything is asked for', async () => {
    const { rig, peer } = await running()
    const other = { ...aPeer(3).peer, ipv4: '10.65.0.3', ipv6: 'fd65::3' }
    rig.shop.know({ ...peer, ipv4: '10.65.0.2', ipv6: 'fd65::2' })
    Object.assign(rig.shop.node, { ipv4: '10.65.0.0/16', ipv6: 'fd65::/112' })
    rig.shop.set(other)
    await rig.holds([peer, other])
    const allowed = async () => (await rig.read()).peers.get(peer.publicKey)?.allowedIps
    await until(async () => (await allowed())?.includes('10.65.0.2/32'))
    const found = await rig.namespace.run('ip', '-o', 'address', 'show', 'dev', rig.interfaceName)
    expect(found).toContain('10.65.0.1/16')
    expect(found).not.toContain('10.64.0.1')
  })

  test('a port that changes is listened on, and the peers stay', async () => {
    const { rig, peer } = await running()
    rig.shop.node.listenPort = 51999
    rig.shop.set(peer)
    await until(async () => (await rig.read()).listenPort === 51999)
    expect(await rig.keys()).toEqual([peer.publicKey])
  })
})

test('a node that the shop does not know any more serves on, and keeps asking', async () => {
  const { rig, peer, agent } = await running({ refusedMs: 200 })
  rig.shop.refuseAgent()
  await until(() => agent.output().split('does not know this node').length > 3)
  expect(await rig.keys()).toEqual([peer.publicKey])
})

test('says how it is: a line and numbers, on the loopback interface', async () => {
  const { rig } = await running()
  // The resolver takes a moment, and until then the node is not well.
  await until(async () =>
    /^200 the interface is up, .* 1 peers at revision 1\.\s*$/.test(await rig.ask('/healthz')),
  )
  const numbers = await rig.ask('/metrics')
  expect(numbers).toContain('hedgerow_agent_peers 1')
  expect(numbers).toContain('hedgerow_agent_driver{driver="wireguard-go"} 1')
  expect(numbers).toMatch(/hedgerow_agent_shop_heard_seconds \d+/)
  expect(await rig.ask('/else')).toMatch(/^404/)
})
