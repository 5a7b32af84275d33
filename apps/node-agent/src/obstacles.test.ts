import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, test } from 'vitest'
import { createNodeRig, type NodeRig } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'
import { saveVersionState, versionsIn } from '#upgrade/version-store.ts'

beforeAll(requireTunnels)

const FAST = { watchMs: 200, longestPauseMs: 500 }
/** Of a network beside the node in tests of pools. */
const BESIDE = '10.64.3.1/24'

const says = (rig: NodeRig, what: RegExp) =>
  until(async () => what.test(await rig.ask('/healthz').catch(() => '')))

test('IPv6 that is switched off is said in words, and the node is set up once it is on', async () => {
  const rig = await createNodeRig()
  const peer = aPeer(2).peer
  rig.shop.set(peer)
  const switchIpv6 = (off: 0 | 1) =>
    rig.namespace.run('sh', '-c', `echo ${off} > /proc/sys/net/ipv6/conf/all/disable_ipv6`)
  await switchIpv6(1)
  rig.start({}, FAST)
  const off =
    /^503 .*IPv6 is switched off in this server's kernel: set net\.ipv6\.conf\.all\.disable_ipv6 to 0/
  await says(rig, off)
  await switchIpv6(0)
  await says(rig, /^200/)
  await rig.holds([peer])
  await switchIpv6(1)
  await says(rig, off)
})

test('a port that another program uses is said with its number, and taken once it is free', async () => {
  const rig = await createNodeRig()
  const taker = rig.namespace.spawn(process.execPath, [
    '-e',
    `require('dgram').createSocket('udp4').bind(${rig.shop.node.listenPort}, () => console.log('bound'))`,
  ])
  await new Promise((bound) => taker.stdout?.once('data', bound))
  rig.start({}, FAST)
  await says(
    rig,
    /^503 .*Another program uses UDP port 51820, on which WireGuard is to listen: end that program/,
  )
  taker.kill('SIGKILL')
  await says(rig, /^200/)
})

test('a second port that another program uses is left to it, and all else is served', async () => {
  const rig = await createNodeRig()
  const taker = rig.namespace.spawn(process.execPath, [
    '-e',
    "require('dgram').createSocket('udp4').bind(443, () => console.log('bound'))",
  ])
  await new Promise((bound) => taker.stdout?.once('data', bound))
  Object.assign(rig.shop.node, { secondPort: 443 })
  const peer = aPeer(2).peer
  rig.shop.set(peer)
  rig.start({}, FAST)
  await rig.holds([peer])
  await until(() => rig.shop.faults() === '')
  expect(await rig.namespace.run('nft', 'list', 'ruleset')).not.toContain('443 fib')
})

const RECURSOR = '/usr/sbin/pdns_recursor'
const NO_RECURSOR =
  'PowerDNS Recursor is missing, which resolves names for customers: install it with "apt-get install pdns-recursor"'

test('a server without PowerDNS Recursor is said in one sentence, and names are resolved once it is installed', async () => {
  const rig = await createNodeRig()
  const peer = aPeer(2).peer
  rig.shop.set(peer)
  const agent = rig.start({}, FAST, RECURSOR)
  await until(() => rig.shop.faults()?.includes(`The resolver does not work: ${NO_RECURSOR}.`))
  await rig.holds([peer])
  agent.install(RECURSOR)
  await says(rig, /^200/)
})

test('a version on trial ends before it touches anything on a server without PowerDNS Recursor', async () => {
  const rig = await createNodeRig()
  const trial = { id: 'an-upgrade', version: '1.2.0', starts: 1, faults: [] }
  await saveVersionState(versionsIn(rig.stateDir), { current: null, trial })
  const agent = rig.start({}, FAST, RECURSOR)
  expect(await agent.ended).toBe(2)
  expect(agent.output()).toContain(NO_RECURSOR)
  expect(await rig.namespace.run('nft', 'list', 'ruleset')).toBe('')
})

test('a pool that is in use on the server is refused before anything is touched', async () => {
  const rig = await createNodeRig()
  rig.namespace.ip(`link add lan0 type bridge
    link set lan0 up
    address add ${BESIDE} dev lan0`)
  const list = async () =>
    await rig.namespace.run(
      'sh',
      '-c',
      'ls /sys/class/net; ip -4 -o address; ip -4 route show table all; nft list ruleset',
    )
  const before = await list()
  const agent = rig.start({}, FAST)
  expect(await agent.ended).toBe(2)
  expect(agent.output()).toContain(
    "The pool 10.64.0.0/16 overlaps with 10.64.3.0/24 of this server's lan0, which it would cut off: give the node another pool",
  )
  expect(await list()).toBe(before)
  rig.namespace.ip('link delete lan0')
  rig.start({}, FAST)
  await says(rig, /^200/)
})

test('another pool that is in use on the server is refused in words, and the one before goes on', async () => {
  const rig = await createNodeRig()
  const peer = aPeer(2).peer
  rig.shop.set(peer)
  rig.start({}, FAST)
  await rig.holds([peer])
  rig.namespace.ip(`link add lan0 type bridge
    link set lan0 up
    address add 10.99.3.1/24 dev lan0`)
  const former = rig.shop.node.ipv4
  rig.shop.node.ipv4 = '10.99.0.0/16'
  rig.shop.set({ ...peer, ipv4: '10.99.0.2' })
  await says(rig, /^503 .*The pool 10\.99\.0\.0\/16 overlaps with 10\.99\.3\.0\/24 of this server's lan0/)
  expect(await rig.marks()).toContain(peer.ipv4)
  rig.shop.node.ipv4 = former
  rig.shop.set(peer)
  await says(rig, /^200/)
})
