import { type AtEnd, atEndOfTest } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import type { Timings } from '#runtime/timings.ts'
import { startDevice } from '#testing/device.ts'
import { createNodeRig, NODE_IPV4 } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'

/** A node with one customer, who is connected. */
export const withCustomer = async (
  driver: 'uapi' | 'wg' = 'uapi',
  timings: Partial<Timings> = {},
  atEnd: AtEnd = atEndOfTest,
) => {
  const rig = await createNodeRig(atEnd)
  const customer = aPeer(2)
  rig.shop.set(customer.peer)
  const agent = rig.start({ TEST_DRIVER: driver }, timings)
  await rig.holds([customer.peer])
  const end = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const machine = await startDevice(rig.namespace, rig.stateDir, customer, end, atEnd)
  await until(() => machine.pings(NODE_IPV4))
  return { rig, customer, agent, machine }
}

export type NodeWithCustomer = Awaited<ReturnType<typeof withCustomer>>
