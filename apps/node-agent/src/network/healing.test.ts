import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressOf, createTestNode, INTERNET, policy, type TestNode } from '#testing/test-node.ts'

/** Says a byte as often as the server has answered the one before. */
const TALK = `const socket = require('net').connect(5001, '${INTERNET.ipv4}').on('error', () => process.exit(1))
  socket.on('data', () => { process.stdout.write('.'); setTimeout(() => socket.write('x'), 50) }).write('x')`

/** A hundred that talk as fast as they are answered, and say so when one of them ends. */
const TALK_MUCH = `for (let i = 0; i < 100; i++) {
    const socket = require('net').connect(5001, '${INTERNET.ipv4}')
    socket.on('error', () => undefined).on('close', () => process.stdout.write('ended'))
    socket.once('data', () => process.stdout.write('.'))
    socket.on('data', () => setTimeout(() => socket.write('x'), 5)).write('x')
  }`

describe('Healing a node', () => {
  let node: TestNode
  let ann: ReturnType<TestNode['customer']>
  const policies = [
    policy('ann', { filters: 1, expiresAt: new Date(Date.now() + 86_400_000) }),
    policy('ben', { hasPriority: true }),
  ]
  const onNode = (...command: [string, ...string[]]) => node.node.attempt(...command)

  beforeAll(async () => {
    requireTunnels()
    node = await createTestNode()
    ann = node.customer('ann')
    await node.startAgent()
    await node.ensure(policies)
    await until(async () => (await ann.ask('www.example.com')) === INTERNET.ipv4)
  })
  afterAll(() => node?.remove())
  beforeEach(() => node.heal(policies))

  const expectWell = async () => {
    expect(await node.heal(policies)).toEqual([])
    await until(() => ann.pings(INTERNET.ipv4))
    await until(async () => (await ann.ask('www.example.com')) === INTERNET.ipv4)
  }

  test('finds nothing to heal when all is well', expectWell)

  test('brings back rules that were flushed', async () => {
    await onNode('nft', 'flush', 'ruleset')
    expect(await node.heal(policies)).toEqual(['The firewall’s rules were missing'])
    await expectWell()
  })

  test('puts the rules in the place of those of an earlier version of the agent, with customers in them', async () => {
    const { ipv4 } = addressOf('eve')
    const rules = `delete table inet hedgerow_wg0
      table inet hedgerow_wg0 {
        map customers4 { type ipv4_addr : mark; flags timeout; elements = { ${ipv4} : 16 } }
        set flows4 { type ipv4_addr; size 65536; flags dynamic; }
        set pieces4 { type ipv4_addr; size 65536; flags dynamic,timeout; timeout 1m; }
        chain counting { add @flows4 { ip saddr ct count over 4000 } drop; }
        chain forward { type filter hook forward priority filter; policy accept; ct state new jump counting; meta mark set 16; }
        chain fragments {
          type filter hook prerouting priority -450; policy accept;
          ip frag-off & 0x3fff != 0 update @pieces4 { ip saddr limit rate over 50/second burst 100 packets } drop
        }
        chain to_endpoint { type filter hook prerouting priority raw; policy accept; iifname != "wg0" udp dport 51820 fib daddr type local notrack; }
        chain masquerading { type nat hook postrouting priority srcnat; policy accept; oifname "up0" masquerade; }
      }`
    await onNode('sh', '-c', `nft -f - <<'END'\n${rules}\nEND`)
    const talk = node.machine('ann').spawn(process.execPath, ['-e', TALK])
    let heard = 0
    talk.stdout?.on('data', (data) => (heard += data.length))
    await until(() => heard > 0)
    await node.killAgent()
    await node.startAgent()
    await node.ensure(policies)
    await expectWell()
    const before = heard
    await until(() => heard > before + 3)
    const { out } = await onNode('nft', 'list', 'table', 'inet', 'hedgerow_wg0')
    expect(out).toContain('udp dport 51820 notrack accept')
    expect(out).not.toContain(ipv4)
    expect(out).not.toMatch(/masquerade$/m)
    expect(out).toContain('chain outside')
    expect(out).toContain('limit rate over 2000/second')
    expect(out).toContain('oifname @uplinks notrack')
  })

  test('ends none of a hundred busy connections while the rules are exchanged', async () => {
    const talk = node.machine('ann').spawn(process.execPath, ['-e', TALK_MUCH])
    let said = ''
    talk.stdout?.on('data', (data) => (said += data))
    await until(() => said.length >= 100)
    for (let i = 0; i < 40; i++) await node.ensure(policies)
    talk.kill()
    expect(said).not.toContain('ended')
  })

  test('takes away a rule that was added by hand', async () => {
    await onNode('nft', 'insert', 'rule', 'inet', 'hedgerow_wg0', 'forward', 'accept')
    expect(await node.heal(policies)).toEqual(['The firewall’s rules were changed'])
    await expectWell()
  })

  test('sets an element right that is missing, and removes one too many', async () => {
    const map = ['inet', 'hedgerow_wg0', 'customers4']
    await onNode('nft', 'delete', 'element', ...map, `{ ${addressOf('ann').ipv4} }`)
    await onNode('nft', 'add', 'element', ...map, `{ ${addressOf('eve').ipv4} : 31 }`)
    expect(await node.heal(policies)).toEqual([
      '1 addresses of customers were missing or wrong, 1 were too many',
    ])
    await expectWell()
  })

  test('applies a change to an element that was changed by hand', async () => {
    const map = ['inet', 'hedgerow_wg0', 'customers6']
    await onNode('nft', 'delete', 'element', ...map, `{ ${addressOf('ben').ipv6} }`)
    await onNode('nft', 'add', 'element', ...map, `{ ${addressOf('ben').ipv6} : 16 }`)
    await node.apply([policy('ben', { filters: 7 })])
    expect(await node.heal([...policies.slice(0, 1), policy('ben', { filters: 7 })])).toEqual([])
  })

  test('brings back the shaper, the resolver’s addresses and forwarding', async () => {
    await onNode('tc', 'qdisc', 'del', 'dev', 'up0', 'root')
    await onNode('ip', 'addr', 'del', '198.18.0.1/32', 'dev', 'lo')
    await onNode('sh', '-c', 'echo 0 > /proc/sys/net/ipv4/ip_forward')
    expect(await node.heal(policies)).toEqual([
      'net/ipv4/ip_forward was changed',
      '1 of the resolver’s addresses were missing',
      'The shaper on up0 was missing or changed',
    ])
    await expectWell()
  })

  test('lets the kernel forget a connection over which nothing is said for two hours, not for five days', async () => {
    const path = '/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_established'
    expect((await onNode('cat', path)).out.trim()).toBe('7440')
    await onNode('sh', '-c', `echo 432000 > ${path}`)
    expect(await node.heal(policies)).toEqual([
      'net/netfilter/nf_conntrack_tcp_timeout_established was changed',
    ])
    expect((await onNode('cat', path)).out.trim()).toBe('7440')
  })

  test('runs the resolver without any right, once it listens on a low port', async () => {
    const pids = await node.node.pids('pdns_recursor')
    const [, rights] = /CapPrm:\s+(\w+)/.exec((await onNode('cat', `/proc/${pids[0]}/status`)).out) ?? []
    expect(rights).toMatch(/^0+$/)
  })

  test('starts the resolver again when it was killed', async () => {
    const own = await node.node.pids('pdns_recursor')
    for (const pid of own) process.kill(pid, 'SIGKILL')
    expect(own).toHaveLength(1)
    await until(async () => (await ann.ask('www.example.com')) === INTERNET.ipv4)
  })

  test('keeps the resolver after a crash, but not that of a version on trial, whose forerunner may have another', async () => {
    const resolvers = () => node.node.pids('pdns_recursor')
    const [first] = await resolvers()
    await node.killAgent()
    expect(await resolvers()).toEqual([first])
    await node.startAgent({ isOnTrial: true })
    await node.ensure(policies)
    await expectWell()
    await node.killAgent()
    await until(async () => (await resolvers()).length === 0)
    await node.startAgent()
    await node.ensure(policies)
    await expectWell()
  })

  test('ends the resolvers that agents before it left behind, one of an earlier version too', async () => {
    const folder = join(node.dir, 'state', 'resolver', 'bank1')
    const script = ['-e', 'setInterval(() => 0, 1_000)', join(folder, 'unbound.conf')]
    const earlier = node.node.spawn(process.execPath, script)
    const ended = once(earlier, 'exit')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'pid'), `${earlier.pid}`)
    await node.killAgent()
    await node.startAgent()
    await node.ensure(policies)
    await ended
    await expectWell()
    expect(await node.node.pids('pdns_recursor')).toHaveLength(1)
  })

  test('works again when the tunnel’s interface was deleted and made anew', async () => {
    await onNode('ip', 'link', 'del', 'wg0')
    await node.makeTunnel()
    await node.ensure(policies)
    await expectWell()
    expect((await onNode('tc', 'class', 'show', 'dev', 'wg0')).out).toContain('htb 1:10')
  })
})
