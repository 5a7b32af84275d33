import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createNodeRig } from '#testing/node-rig.ts'
import { aPeer, manyPeers } from '#testing/peers.ts'

beforeAll(requireTunnels)

const LISTEN = "require('net').createServer(() => {}).listen(Number(process.argv[1]), '0.0.0.0')"

/** One that follows what happens to rules. */
const LISTENER = /^\S+ +12 +\S+ +00000040 /m

test('rules that are flushed are back at once, without waiting for the next look', async () => {
  const rig = await createNodeRig()
  const [peer] = [aPeer(2).peer]
  rig.shop.set(peer)
  rig.start({}, { watchMs: 3_600_000 })
  await rig.holds([peer])
  const isThere = async () => (await rig.marks().catch(() => '')).includes(peer.ipv4)
  await until(async () => LISTENER.test(await rig.namespace.run('cat', '/proc/net/netlink')))
  for (const what of [
    ['flush', 'ruleset'],
    ['delete', 'table', 'inet', `hedgerow_${rig.interfaceName}`],
  ]) {
    await until(isThere)
    await rig.namespace.run('nft', ...what)
    await until(isThere)
  }
})

test('a rule that is added by hand goes within seconds, not with the next healing', async () => {
  const rig = await createNodeRig()
  const [peer] = [aPeer(2).peer]
  rig.shop.set(peer)
  rig.start({}, { watchMs: 500 })
  await rig.holds([peer])
  const chain = ['inet', `hedgerow_${rig.interfaceName}`, 'forward']
  await until(() =>
    rig.namespace.run('nft', 'insert', 'rule', ...chain, 'accept').then(
      () => true,
      () => false,
    ),
  )
  await until(async () => !(await rig.namespace.run('nft', 'list', 'chain', ...chain)).includes('\taccept'))
})

test('a resolver and a page that cannot be are said, customers are served without them, and both come later', async () => {
  const rig = await createNodeRig()
  const takers = [53, 80].map((port) => rig.namespace.spawn(process.execPath, ['-e', LISTEN, String(port)]))
  await until(async () => (await rig.namespace.run('ss', '-Hltn')).split('\n').length > 2)
  const peer = aPeer(2).peer
  rig.shop.set(peer)
  const agent = rig.start({}, { watchMs: 200, longestPauseMs: 500 })
  await rig.holds([peer])
  expect(await rig.marks()).toContain(peer.ipv4)
  const says =
    /^503 the interface is up, .*\. The page for expired connections does not work: another program \(\S+\) uses port 80 of all addresses: end it, or let it listen on addresses of its own\. The resolver does not work: another program \(\S+\) uses port 53 of all addresses/
  await until(async () => says.test(await rig.ask('/healthz')))
  expect(agent.output()).toMatch(
    /EADDRINUSE.*"part":"The page for expired connections"|"part":"The page for expired connections".*EADDRINUSE/,
  )
  for (const taker of takers) taker.kill('SIGKILL')
  await until(async () => (await rig.ask('/healthz')).startsWith('200'))
})

test('a full disk is said and keeps nobody from being served, and is written to again when there is room', async () => {
  const rig = await createNodeRig()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'hedgerow-full', rig.stateDir])
  onTestFinished(() => void execFileSync('umount', ['-l', rig.stateDir]))
  const [first, others] = [aPeer(2).peer, manyPeers(100)]
  rig.shop.set(first)
  const agent = rig.start({}, { longestPauseMs: 300, timeMs: 200 })
  await rig.holds([first])
  const ballast = join(rig.stateDir, 'ballast')
  try {
    writeFileSync(ballast, Buffer.alloc(2 << 20))
  } catch {
    // It is full now.
  }
  rig.shop.set(...others)
  await rig.holds([first, ...others])
  await until(() => agent.output().includes('ENOSPC'))
  const says = /^503 .*Nothing can be written to \S+ \(ENOSPC\): its disk is full: free some space\./
  await until(async () => says.test(await rig.ask('/healthz')))
  rmSync(ballast)
  await until(async () => (await rig.ask('/metrics')).includes('hedgerow_agent_revision 101'))
  await until(async () => (await rig.ask('/healthz')).startsWith('200'))
  rig.shop.remove(first)
  await until(async () => (await rig.ask('/metrics')).includes('hedgerow_agent_revision 102'))
  await agent.kill('SIGKILL')
  await rig.shop.vanish()
  rig.start()
  const cutOff = /100 peers at revision 102\. The shop cannot be reached: \w+\./
  await until(async () => cutOff.test(await rig.ask('/healthz').catch(() => '')))
  await rig.holds(others)
})
