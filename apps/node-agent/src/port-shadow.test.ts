import { setTimeout } from 'node:timers/promises'
import { atEndOfTest, connect, createNamespace, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { customerIn } from '#testing/customer.ts'
import { createDevice, startDevice } from '#testing/device.ts'
import { createNodeRig, NODE_IPV4 } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'
import { openUdp } from '#testing/udp.ts'

requireTunnels()

const NODE = '203.0.113.1'
const ROUTER = '203.0.113.10'
const VICTIM = '203.0.113.50'
const VICTIM_PORT = 40_000

/** A node whose customers come from the internet, through its uplink. */
const createNodeBehindRouter = async () => {
  const rig = await createNodeRig()
  const router = await createNamespace()
  const { nameA, nameB } = await connect(rig.namespace, router)
  rig.namespace.ip(
    `address flush dev ${nameA}
    address add ${NODE}/32 dev ${nameA}
    route replace default via ${ROUTER} dev ${nameA} onlink`,
  )
  router.ip(
    `address add ${ROUTER}/32 dev ${nameB}
    route add ${NODE}/32 dev ${nameB}`,
  )
  await router.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward')
  return { rig, router, uplink: nameA }
}

/** A device at a public address of its own. */
const startVictim = async (
  router: Parameters<typeof createDevice>[0],
  folder: string,
  { peer, privateKey }: ReturnType<typeof aPeer>,
  publicKey: string,
) => {
  const device = await createDevice(router, folder)
  device.namespace.ip(
    `address add ${VICTIM}/32 dev lo
    route add ${NODE}/32 via ${device.cable.a} src ${VICTIM}`,
  )
  router.ip(`route add ${VICTIM}/32 via ${device.cable.b}`)
  await device.configure(
    `[Interface]\nPrivateKey=${privateKey}\nListenPort=${VICTIM_PORT}\n[Peer]\nPublicKey=${publicKey}\n` +
      `PresharedKey=${peer.presharedKey}\nAllowedIPs=${NODE_IPV4}/32\nEndpoint=${NODE}:51820\n`,
    [`${peer.ipv4}/16`],
  )
  return { ...device, ...customerIn(device.namespace, NODE_IPV4) }
}

test('a customer cannot cut another off, nor get their handshakes, by sending to them from the endpoint’s port', async () => {
  const { rig, router, uplink } = await createNodeBehindRouter()
  const [ada, eve] = [aPeer(2), aPeer(3)]
  rig.shop.set(ada.peer, eve.peer)
  rig.start({ AGENT_UPLINK: uplink })
  await rig.holds([ada.peer, eve.peer])
  const publicKey = rig.shop.publicKey()
  const victim = await startVictim(router, rig.stateDir, ada, publicKey)
  const attacker = await startDevice(rig.namespace, rig.stateDir, eve, { publicKey, port: 51820 })
  attacker.namespace.ip(`route add 203.0.113.0/24 dev ${attacker.name}`)
  // A table that forgets fast, in place of a victim who is away for minutes.
  for (const what of ['udp_timeout', 'udp_timeout_stream'])
    await rig.namespace.run('sh', '-c', `echo 1 > /proc/sys/net/netfilter/nf_conntrack_${what}`)
  await until(() => victim.pings(NODE_IPV4))
  await until(() => attacker.pings(ROUTER))
  await setTimeout(3_000)

  const shadow = await openUdp(attacker.namespace, eve.peer.ipv4, 51820)
  atEndOfTest(shadow.close)
  const attack = setInterval(() => shadow.say('x', VICTIM, VICTIM_PORT), 50)
  atEndOfTest(async () => clearInterval(attack))
  await setTimeout(500)
  await victim.reconnect()
  await until(() => victim.pings(NODE_IPV4))
  expect(shadow.heard).toEqual([])
})
