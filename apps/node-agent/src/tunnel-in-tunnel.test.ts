import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { customerIn } from '#testing/customer.ts'
import { createDevice, startDevice } from '#testing/device.ts'
import { createNodeRig, NODE_IPV4, NODE_IPV6 } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'

requireTunnels()

const NODE = '203.0.113.1'
const PORT = 51820

/** A node at a public address, and a router of Ada's that sends all that is behind it through her tunnel. */
const createNodeWithRouter = async (others: readonly ReturnType<typeof aPeer>[]) => {
  const rig = await createNodeRig()
  const ada = aPeer(2)
  rig.shop.set(ada.peer, ...others.map(({ peer }) => peer))
  rig.namespace.ip(`address add ${NODE}/32 dev lo`)
  rig.start()
  await rig.holds([ada.peer, ...others.map(({ peer }) => peer)])
  const end = { publicKey: rig.shop.publicKey(), port: PORT }
  const router = await startDevice(rig.namespace, rig.stateDir, ada, end)
  router.namespace.ip(`route add ${NODE}/32 dev ${router.name}`)
  await router.namespace.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward')
  await router.namespace.run(
    'nft',
    `table ip nat { chain out { type nat hook postrouting priority srcnat; oifname ${router.name} masquerade; }; }`,
  )
  await until(() => router.pings(NODE_IPV4))
  const startBehind = async ({ peer, privateKey }: ReturnType<typeof aPeer>) => {
    const device = await createDevice(router.namespace, rig.stateDir)
    device.namespace.ip(`route add default via ${device.cable.a}`)
    await device.configure(
      `[Interface]\nPrivateKey=${privateKey}\n[Peer]\nPublicKey=${end.publicKey}\nPresharedKey=${peer.presharedKey}\n` +
        `AllowedIPs=${NODE_IPV4}/32,${NODE_IPV6}/128\nEndpoint=${NODE}:${PORT}\n`,
      [`${peer.ipv4}/32`, `${peer.ipv6}/128`],
    )
    device.namespace.ip(`route add ${NODE_IPV4}/32 dev ${device.name}`)
    return { ...device, ...customerIn(device.namespace, NODE_IPV4) }
  }
  return { rig, ada, router, startBehind, end }
}

test('a phone with a connection of its own works behind a router with another one, and reaches nothing else of the node', async () => {
  const ben = aPeer(3)
  const { router, startBehind } = await createNodeWithRouter([ben])
  const phone = await startBehind(ben)
  await until(() => phone.pings(NODE_IPV4))
  // A packet as large as the phone's tunnel takes goes through the router's in two pieces, both ways.
  await until(async () => (await phone.run('ping', '-c', '1', '-w', '3', '-s', '1392', NODE_IPV4)).code === 0)
  const refused = async (address: string, port: number) =>
    (await router.run('dig', '+notcp', '+tries=1', '+time=5', '-p', `${port}`, `@${address}`, 'example.com'))
      .out
  for (const [address, port] of [
    [NODE, PORT + 1],
    [NODE_IPV4, PORT],
  ] as const)
    await until(async () => (await refused(address, port)).includes('connection refused'))
})

test('a tunnel inside of itself cuts off its own customer alone, who is back with the next handshake', async () => {
  const eve = aPeer(3)
  const { rig, ada, router, startBehind, end } = await createNodeWithRouter([eve])
  const other = await startDevice(rig.namespace, rig.stateDir, eve, end)
  await until(() => other.pings(NODE_IPV4))
  // With the router's own keys: the node now sends what is for them into that very tunnel, again and again.
  const inside = await startBehind(ada)
  const carried = () =>
    rig.namespace.run('nft', 'list', 'set', 'inet', `hedgerow_${rig.interfaceName}`, 'carried4')
  const ping = inside.pings(NODE_IPV4)
  await until(async () => (await carried()).includes(`${ada.peer.ipv4} limit rate over`))
  expect(await ping).toBe(false)
  await until(() => other.pings(NODE_IPV4))
  await inside.namespace.run('ip', 'link', 'set', 'dev', inside.name, 'down')
  await router.reconnect()
  await until(() => router.pings(NODE_IPV4))
})
