import { type AtEnd, connect, createNamespace, type Namespace } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { createDevice } from '#testing/device.ts'
import { NODE_IPV4, type NodeRig } from '#testing/node-rig.ts'
import type { CustomerPeer } from '#testing/peers.ts'

export const SERVER = '203.0.113.10'

/** An internet of one server, behind which customers' devices are too, as they are at a real node. */
export const openUplink = async ({ namespace, shop, stateDir }: NodeRig, atEnd: AtEnd) => {
  const internet = await createNamespace(atEnd)
  const cable = await connect(namespace, internet)
  await namespace.run('ip', 'route', 'replace', 'default', 'via', cable.b)
  internet.ip(`address add ${SERVER}/32 dev lo`)
  await internet.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward')
  return {
    internet,
    name: cable.nameA,
    /** A device with a tunnel to the node, once it is up. */
    plugIn: async ({ peer, privateKey }: CustomerPeer): Promise<Namespace> => {
      const device = await createDevice(internet, stateDir, atEnd)
      await device.namespace.run('ip', 'route', 'add', `${cable.a}/32`, 'via', device.cable.a)
      await device.configure(
        `[Interface]\nPrivateKey=${privateKey}\n[Peer]\nPublicKey=${shop.publicKey()}\nPresharedKey=${peer.presharedKey}\n` +
          `AllowedIPs=0.0.0.0/0,::/0\nEndpoint=${cable.a}:${shop.node.listenPort}\n`,
        [`${peer.ipv4}/16`],
      )
      await device.namespace.run('ip', 'route', 'add', 'default', 'dev', device.name)
      await until(() =>
        device.namespace.run('ping', '-c', '1', '-w', '3', NODE_IPV4).then(
          () => true,
          () => false,
        ),
      )
      return device.namespace
    },
  }
}
