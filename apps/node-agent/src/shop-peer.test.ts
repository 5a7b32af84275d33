import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import { expect, test } from 'vitest'
import { NODE_IPV4 } from '#testing/node-rig.ts'
import { withCustomer } from '#testing/node-with-customer.ts'

requireTunnels()

const aShopPeer = () => ({ publicKey: generateKeyPair().publicKey, presharedKey: generatePresharedKey() })

test.each(['uapi', 'wg'] as const)(
  'the shop’s peer comes without an address and is replaced, while customers go on (%s)',
  async (driver) => {
    const { rig, customer, agent, machine } = await withCustomer(driver, { waitS: 1, healMs: 500 })
    expect(rig.shop.shopKey()).toBeUndefined()
    const handshakeS = async () => (await rig.read()).peers.get(customer.peer.publicKey)?.handshakeS
    const before = await handshakeS()
    const peers = [aShopPeer(), aShopPeer()]
    for (const peer of peers) {
      rig.shop.node.shopPeer = peer
      await until(() => rig.shop.shopKey() === peer.publicKey)
      expect((await rig.read()).peers.get(peer.publicKey)).toMatchObject({
        allowedIps: [],
        presharedKey: peer.presharedKey,
      })
    }
    await rig.holds([customer.peer, peers[1] as { publicKey: string }])
    await until(() => machine.pings(NODE_IPV4))
    expect(await handshakeS()).toBe(before)
    expect(agent.output().match(/The interface is set up/g)).toHaveLength(1)
    // What compares the device with what is wanted finds nothing to repair.
    expect(agent.output()).not.toContain('were repaired')
  },
)
