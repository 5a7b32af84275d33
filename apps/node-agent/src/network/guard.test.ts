import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, createTestNode, INTERNET, NODE, policy, type TestNode } from '#testing/test-node.ts'

/** Downloads without an end, and says how many bytes have come. */
const DOWNLOAD = `let bytes = 0
  const end = () => process.exit(1)
  require('net').connect(9000, '${INTERNET.ipv4}').on('error', end).on('end', end).on('data', (data) => (bytes += data.length))
  setInterval(() => console.log(bytes), 50)`

/** Counts what comes to the internet with a customer's address. */
const COUNT = `table inet ears {
    chain prerouting {
      type filter hook prerouting priority raw; policy accept;
      ip saddr 10.90.0.0/16 counter name unmasqueraded
      ip6 saddr 2001:db8:90::/64 counter name unmasqueraded
    }
    counter unmasqueraded {}
  }`

/** A service of the node's administrator. */
const SERVICE = 2222
const SERVE = `require('net').createServer((socket) => socket.end()).listen(${SERVICE}, '::')`

describe('A node whose rules are flushed', () => {
  let node: TestNode
  const policies = [policy('ann'), policy('ben')]
  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    await node.net.run('sh', '-c', `nft -f - <<'END'\n${COUNT}\nEND`)
    await node.startAgent()
    await node.ensure(policies)
    node.node.spawn(process.execPath, ['-e', SERVE])
    await until(async () => (await node.node.run('ss', '-Hltn')).includes(`:${SERVICE}`))
  })
  afterAll(() => node?.remove())

  const startDownload = () => {
    const child = node.machine('ann').spawn(process.execPath, ['-e', DOWNLOAD])
    let bytes = 0
    child.stdout?.on('data', (data) => {
      bytes = Number(String(data).trim().split('\n').at(-1))
    })
    return {
      child,
      goesOn: async () => {
        const before = bytes
        await until(() => bytes > before + 1_000_000 || child.exitCode !== null)
        expect(child.exitCode).toBe(null)
      },
    }
  }
  const flush = () => node.node.run('nft', 'flush', 'ruleset')

  test('lets nothing out and no customer to another, and what was open goes on when they are back', async () => {
    const [ann, ben] = [node.customer('ann'), addressOf('ben')]
    const { child, goesOn } = startDownload()
    for (let round = 0; round < 3; round++) {
      await goesOn()
      await flush()
      // All at once: the longer it takes, the longer the download waits to try again.
      const reached = await Promise.all([
        ...[INTERNET.ipv4, INTERNET.ipv6, ben.ipv4, ben.ipv6].map(ann.pings),
        ann.connects(NODE.ipv4, SERVICE),
        ann.connects(NODE.ipv6, SERVICE),
      ])
      expect(reached).not.toContain(true)
      expect(await node.heal(policies)).toEqual(['The firewall’s rules were missing'])
    }
    await goesOn()
    child.kill()
    expect(await node.net.run('nft', 'list', 'counter', 'inet', 'ears', 'unmasqueraded')).toContain(
      'packets 0 ',
    )
    await until(() => ann.pings(INTERNET.ipv6))
  })

  test('is guarded also without its agent, and by the next one', async () => {
    await node.killAgent()
    await flush()
    expect(await node.customer('ann').pings(addressOf('ben').ipv4)).toBe(false)
    const [before] = await node.node.pids('nft')
    await node.startAgent()
    await node.ensure(policies)
    expect(await node.node.pids('nft')).toEqual([before])
    await until(() => node.customer('ann').pings(INTERNET.ipv4))
  })

  test('gets its guard back when someone ends it', async () => {
    for (const pid of await node.node.pids('nft')) process.kill(pid, 'SIGKILL')
    await until(async () => (await node.node.pids('nft')).length === 0)
    expect(await node.heal(policies)).toEqual(['The guard of the firewall was not there'])
    await flush()
    expect(await node.customer('ann').pings(addressOf('ben').ipv4)).toBe(false)
    await node.heal(policies)
    await until(() => node.customer('ann').pings(INTERNET.ipv4))
  })
})
