import { connect, createNamespace, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { customerIn } from '#testing/customer.ts'
import { createDevice } from '#testing/device.ts'
import { createNodeRig, NODE_IPV4, NODE_IPV6 } from '#testing/node-rig.ts'
import { aPeer, type CustomerPeer } from '#testing/peers.ts'

requireTunnels()

const NODE = { ipv4: '203.0.113.1', ipv6: '2001:db8:1::1' }
type Family = keyof typeof NODE
const [OLD, NEW] = [51820, 443]
/** Larger than the router's cables take, once it is in the tunnel. */
const LARGE = ['-s', '1372']

/** A node, and a home router before its devices: it lets in only answers, and its cables to them take 1,400 bytes. */
const createHome = async (driver: string, customers: readonly CustomerPeer[]) => {
  const rig = await createNodeRig()
  const router = await createNamespace()
  const { a, b, nameA, nameB } = await connect(rig.namespace, router)
  rig.shop.set(...customers.map(({ peer }) => peer))
  rig.namespace.ip(
    `address add ${NODE.ipv4}/32 dev lo
    address add ${NODE.ipv6}/128 dev lo nodad
    address add 2001:db8:2::1/64 dev ${nameA} nodad
    route add 198.51.100.0/24 via ${b}
    route add 2001:db8:3::/48 via 2001:db8:2::2`,
  )
  router.ip(
    `address add 2001:db8:2::2/64 dev ${nameB} nodad
    route add ${NODE.ipv4}/32 via ${a}
    route add ${NODE.ipv6}/128 via 2001:db8:2::1`,
  )
  await router.run(
    'sh',
    '-c',
    'echo 1 | tee /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv6/conf/all/forwarding',
  )
  await router.run(
    'nft',
    `table inet home { chain in { type filter hook forward priority 0; iifname ${nameB} ct state != { established, related } drop; }; }`,
  )
  rig.start({ TEST_DRIVER: driver })
  await rig.holds(customers.map(({ peer }) => peer))

  const startDevice = async ({ peer, privateKey }: CustomerPeer, family: Family, port: number) => {
    const device = await createDevice(router, rig.stateDir)
    const own = Number(peer.ipv4.split('.').at(-1))
    const { cable, namespace } = device
    for (const [where, name] of [
      [router, cable.nameA],
      [namespace, cable.nameB],
    ] as const)
      where.ip(`link set ${name} mtu 1400`)
    router.ip(
      `address add 2001:db8:3:${own}::1/64 dev ${cable.nameA} nodad
      route add 198.51.100.${own}/32 via ${cable.b}`,
    )
    namespace.ip(
      `address add 2001:db8:3:${own}::2/64 dev ${cable.nameB} nodad
      address add 198.51.100.${own}/32 dev lo
      route add ${NODE.ipv4}/32 via ${cable.a} src 198.51.100.${own}
      route add ${NODE.ipv6}/128 via 2001:db8:3:${own}::1`,
    )
    const host = family === 'ipv4' ? NODE.ipv4 : `[${NODE.ipv6}]`
    const use = (file: number, from: number) =>
      device.configure(
        `[Interface]\nPrivateKey=${privateKey}\nListenPort=${from}\n[Peer]\nPublicKey=${rig.shop.publicKey()}\n` +
          `PresharedKey=${peer.presharedKey}\nAllowedIPs=0.0.0.0/0,::/0\nEndpoint=${host}:${file}\n`,
        [`${peer.ipv4}/16`, `${peer.ipv6}/112`],
      )
    await use(port, 40_000)
    const { run } = customerIn(namespace, NODE_IPV4)
    const answers = (...options: string[]) =>
      until(async () => (await run('ping', '-c', '1', '-w', '3', ...options)).code === 0)
    return { use, answers, name: device.name, namespace }
  }
  return { rig, router, startDevice }
}

describe.each(['uapi', 'wg'])('A node that gets another port, with the driver %s', (driver) => {
  test.each(['ipv4', 'ipv6'] as const)(
    'serves files of both over %s',
    async (family) => {
      const [ada, ben] = [aPeer(2), aPeer(3)]
      const { rig, startDevice } = await createHome(driver, [ada, ben])
      const old = await startDevice(ada, family, OLD)
      await old.answers(NODE_IPV4)
      Object.assign(rig.shop.node, { listenPort: NEW, oldPorts: [OLD] })
      rig.shop.set(ada.peer)
      await until(async () => (await rig.read()).listenPort === NEW)
      for (const address of [NODE_IPV4, NODE_IPV6]) await old.answers(address)
      const fresh = await startDevice(ben, family, NEW)
      for (const device of [old, fresh]) await device.answers(...LARGE, NODE_IPV4)
      // Its own network gives it another port, as a phone gets one that roams.
      await old.namespace.run('wg', 'set', old.name, 'listen-port', '40001')
      await old.answers(NODE_IPV4)
      const used = async () => (await old.namespace.run('wg', 'show', old.name, 'endpoints')).trim()
      expect(await used()).toMatch(new RegExp(`:${OLD}$`))
      await old.use(NEW, 40_001)
      await old.answers(NODE_IPV6)
      expect(await used()).toMatch(new RegExp(`:${NEW}$`))
      await until(async () => rig.shop.faults() === '')
    },
    180_000,
  )

  test('serves a second port through a network that lets nothing else through, and a session moves between both', async () => {
    const ada = aPeer(2)
    const { rig, router, startDevice } = await createHome(driver, [ada])
    const device = await startDevice(ada, 'ipv4', OLD)
    await device.answers(NODE_IPV4)
    Object.assign(rig.shop.node, { secondPort: NEW })
    rig.shop.set(ada.peer)
    // A device that gets no answer for 15 s would begin another session.
    await until(async () => (await rig.namespace.run('nft', 'list', 'ruleset')).includes(`${NEW} fib`))
    await router.run(
      'nft',
      `table inet hotel { chain out { type filter hook forward priority 0; ip daddr ${NODE.ipv4} udp dport != ${NEW} drop; }; }`,
    )
    const handshakes = async () =>
      (await device.namespace.run('wg', 'show', device.name, 'latest-handshakes')).trim()
    const before = await handshakes()
    // Its endpoint alone is another: the session goes on.
    await device.namespace.run(
      'wg',
      'set',
      device.name,
      'peer',
      rig.shop.publicKey(),
      'endpoint',
      `${NODE.ipv4}:${NEW}`,
    )
    await device.answers(...LARGE, NODE_IPV4)
    expect(await handshakes()).toBe(before)
    await router.run('nft', 'delete table inet hotel')
    await device.use(OLD, 40_001)
    await device.answers(NODE_IPV6)
    await until(async () => rig.shop.faults() === '')
  }, 120_000)
})
