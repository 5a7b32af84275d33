import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { beforeAll, describe, expect, test } from 'vitest'
import { PAGE_IPV4 } from '#network/own-addresses.ts'
import { startAmneziaDevice, startDevice } from '#testing/device.ts'
import { createNodeRig, NODE_IPV4, NODE_IPV6, type NodeRig } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'

beforeAll(requireTunnels)

const OBFUSCATION: Obfuscation = {
  version: 2,
  s1: 52,
  s2: 71,
  s3: 12,
  s4: 16,
  h1: '1000000-1065535',
  h2: '2000000-2065535',
  h3: '3000000-3065535',
  h4: '4000000-4065535',
}
const FAST = { watchMs: 200, longestPauseMs: 500 }
/** As Debian's; what is not Debian's is elsewhere. */
const USUAL_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

const links = ({ namespace }: NodeRig) => namespace.run('ip', '-o', 'link')

test.skipIf(existsSync('/usr/bin/amneziawg-go'))(
  'a server that cannot speak AmneziaWG says so, and does not speak WireGuard instead',
  async () => {
    const rig = await createNodeRig(undefined, OBFUSCATION)
    rig.shop.set(aPeer(2).peer)
    rig.start({ PATH: USUAL_PATH }, FAST)
    const said =
      'This is an obfuscated node, and this server has neither amneziawg-go nor a kernel with AmneziaWG'
    await until(async () => (await rig.ask('/healthz').catch(() => '')).includes(said))
    await until(() => rig.shop.faults()?.includes(said))
    expect(await links(rig)).not.toContain(rig.interfaceName)
  },
)

const AMNEZIAWG_GO = process.env.AMNEZIAWG_GO ?? ''
const folder = dirname(AMNEZIAWG_GO)
const DRIVERS = existsSync(join(folder, 'awg')) ? ['uapi', 'wg'] : ['uapi']

/** Debian has no amneziawg-go: `npm test` says that these were skipped. */
describe.skipIf(!AMNEZIAWG_GO).each(DRIVERS)('with AmneziaWG and the driver %s', (driver) => {
  const start = (rig: NodeRig, timings = {}) =>
    rig.start(
      { PATH: `${folder}${delimiter}${process.env.PATH}`, TEST_DRIVER: driver },
      { ...FAST, ...timings },
    )
  const endOf = ({ shop }: NodeRig) => ({ publicKey: shop.publicKey(), port: shop.node.listenPort })
  const program = AMNEZIAWG_GO

  test('customers with the parameters reach the node, and its own probe does; who speaks WireGuard does not', async () => {
    const rig = await createNodeRig(undefined, OBFUSCATION)
    const [customer, plain] = [aPeer(2), aPeer(3)]
    rig.shop.set(customer.peer, plain.peer)
    start(rig)
    await rig.holds([customer.peer, plain.peer])
    const [device, other] = await Promise.all([
      startAmneziaDevice(rig.namespace, customer, endOf(rig), { program, obfuscation: OBFUSCATION }),
      startDevice(rig.namespace, rig.stateDir, plain, endOf(rig)),
    ])
    await until(() => device.pings(NODE_IPV4))
    await until(() => device.pings(NODE_IPV6))
    await until(() => rig.shop.faults() === '')
    expect(await other.pings(NODE_IPV4)).toBe(false)
    expect(await other.handshake()).toBe(0)
    expect(await rig.namespace.run('cat', `/sys/class/net/${rig.interfaceName}/mtu`)).toContain('1404')
    expect(await rig.ask('/healthz')).toMatch(/^200/)
  })

  test('filters, ends and the second port are as on any node', async () => {
    const rig = await createNodeRig(undefined, OBFUSCATION)
    const [customer, over] = [aPeer(2, { filters: 1 }), aPeer(3)]
    await mkdir(join(rig.stateDir, 'lists'), { recursive: true })
    await writeFile(join(rig.stateDir, 'lists', 'ads.txt'), 'ads.example.com\n')
    Object.assign(rig.shop.node, { secondPort: 443 })
    rig.shop.set(customer.peer, over.peer)
    start(rig)
    await rig.holds([customer.peer, over.peer])
    const amnezia = { program, obfuscation: OBFUSCATION }
    const device = await startAmneziaDevice(rig.namespace, customer, endOf(rig), amnezia)
    const ended = await startAmneziaDevice(rig.namespace, over, endOf(rig), amnezia)
    await until(() => device.pings(NODE_IPV4))
    await until(async () => (await device.ask('ads.example.com', NODE_IPV4)) === 'NXDOMAIN')
    expect(await ended.ask('ads.example.com', NODE_IPV4)).not.toBe('NXDOMAIN')
    rig.shop.set({ ...over.peer, expiresAt: new Date(Date.now() + 500).toISOString() })
    await until(async () => (await ended.ask('any.example.com', NODE_IPV4)) === PAGE_IPV4)
    await device.goTo(443)
    await until(() => device.pings(NODE_IPV4))
  })

  test('an agent that is started again goes on with what is there; what is set by hand is put right', async () => {
    const rig = await createNodeRig(undefined, OBFUSCATION)
    const customer = aPeer(2)
    rig.shop.set(customer.peer)
    const agent = start(rig, { healMs: 300 })
    await rig.holds([customer.peer])
    const device = await startAmneziaDevice(rig.namespace, customer, endOf(rig), {
      program,
      obfuscation: OBFUSCATION,
    })
    await until(() => device.pings(NODE_IPV4))
    const before = await rig.namespace.pids('amneziawg-go')
    await agent.kill()
    start(rig, { healMs: 300 })
    await until(async () => (await rig.ask('/healthz').catch(() => '')).startsWith('200'))
    await until(() => device.pings(NODE_IPV4))
    expect(await rig.namespace.pids('amneziawg-go')).toEqual(before)
    await rig.spoil('s1=33')
    await until(async () => (await rig.read()).parameters.includes('s1=52'))
  })

  test('an interface that speaks otherwise than the node is to is made anew, both ways', async () => {
    const rig = await createNodeRig()
    const customer = aPeer(2)
    rig.shop.set(customer.peer)
    start(rig)
    await rig.holds([customer.peer])
    rig.shop.node.obfuscation = OBFUSCATION
    rig.shop.set(aPeer(3).peer)
    const device = await startAmneziaDevice(rig.namespace, customer, endOf(rig), {
      program,
      obfuscation: OBFUSCATION,
    })
    await until(() => device.pings(NODE_IPV4))
    expect(await rig.namespace.pids('wireguard-go')).toEqual([])
    rig.shop.node.obfuscation = undefined
    rig.shop.set(aPeer(4).peer)
    const plain = await startDevice(rig.namespace, rig.stateDir, customer, endOf(rig))
    await until(() => plain.pings(NODE_IPV4))
  })

  test('a device that sends junk before its handshakes reaches a plain node, too', async () => {
    const rig = await createNodeRig()
    const customer = aPeer(2)
    rig.shop.set(customer.peer)
    start(rig)
    await rig.holds([customer.peer])
    const junk = ['jc=4', 'jmin=40', 'jmax=70', 'i1=<b 0x000100002112a442><r 12>']
    const device = await startAmneziaDevice(rig.namespace, customer, endOf(rig), { program, junk })
    await until(() => device.pings(NODE_IPV4))
  })
})
