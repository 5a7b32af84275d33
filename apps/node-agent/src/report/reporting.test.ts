import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, test } from 'vitest'
import { startDevice } from '#testing/device.ts'
import { createNodeRig, NODE_IPV4 } from '#testing/node-rig.ts'
import { withCustomer } from '#testing/node-with-customer.ts'
import { aPeer } from '#testing/peers.ts'

beforeAll(requireTunnels)

test('the first connection of an awaited peer is reported before all are looked at again', async () => {
  const rig = await createNodeRig()
  const [usual, awaited] = [aPeer(2), aPeer(3, { isAwaited: true })]
  rig.shop.set(usual.peer)
  rig.start({}, { scanMs: 3_600_000 })
  await rig.holds([usual.peer])
  rig.shop.set(awaited.peer)
  await rig.holds([usual.peer, awaited.peer])
  const end = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const machine = await startDevice(rig.namespace, rig.stateDir, awaited, end)
  await until(() => machine.pings(NODE_IPV4))
  await until(() => rig.shop.reports.length > 0)
  expect(rig.shop.reports[0]).toMatchObject({ connected: [awaited.peer.id], usage: [], usedTwice: [] })
})

test('a connection is reported once a day, with numbers that grow over restarts, and bytes if the operator wants', async () => {
  const { rig, customer, agent, machine } = await withCustomer('uapi', { scanMs: 200 })
  await until(() => rig.shop.reports.length > 0)
  await agent.kill('SIGTERM')
  const [{ number = 0 } = {}] = rig.shop.reports
  expect(rig.shop.reports).toHaveLength(1)
  rig.start({ AGENT_USAGE: 'on' }, { scanMs: 200, usageMs: 500 })
  await rig.holds([customer.peer])
  await machine.reconnect()
  await until(() => machine.pings(NODE_IPV4))
  await until(() => rig.shop.reports.flatMap(({ usage }) => usage).length > 0)
  const later = rig.shop.reports.slice(1)
  expect(Math.min(...later.map((report) => report.number))).toBeGreaterThan(number)
  const [{ id, received } = { id: '', received: 0 }] = later.flatMap(({ usage }) => usage)
  expect(id).toBe(customer.peer.id)
  expect(received).toBeGreaterThan(0)
})

test('keys that two devices use at once are said, and where the devices are is not', async () => {
  const { rig, customer, machine, agent } = await withCustomer('uapi', { scanMs: 100, usedTwiceMs: 300 })
  const end = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const other = await startDevice(rig.namespace, rig.stateDir, customer, end)
  await until(async () => {
    for (const device of [machine, other]) {
      // Its session ends, and the next is made from the same port.
      device.namespace.ip(`link set ${device.name} down\nlink set ${device.name} up`)
      await device.pings(NODE_IPV4)
    }
    return rig.shop.reports.some(({ usedTwice }) => usedTwice.includes(customer.peer.id))
  }, 150_000)
  for (const device of [machine, other]) {
    expect(JSON.stringify(rig.shop.reports)).not.toContain(device.cable.b)
    expect(agent.output()).not.toContain(device.cable.b)
  }
}, 180_000)
