import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, test } from 'vitest'
import { NODE_IPV4 } from '#testing/node-rig.ts'
import { withCustomer } from '#testing/node-with-customer.ts'
import { aPeer } from '#testing/peers.ts'

beforeAll(requireTunnels)

test('an agent that was killed goes on with live sessions as they are', async () => {
  const { rig, customer, agent, machine } = await withCustomer()
  const before = await machine.handshake()
  await agent.kill('SIGKILL')
  await until(() => machine.pings(NODE_IPV4))
  const { received } = (await rig.read()).peers.get(customer.peer.publicKey) ?? { received: 0 }
  const again = rig.start()
  await until(() => again.output().includes('The interface is set up'))
  const other = aPeer(3).peer
  rig.shop.set(other)
  await rig.holds([customer.peer, other])
  await until(() => machine.pings(NODE_IPV4))
  expect(await machine.handshake()).toBe(before)
  const after = (await rig.read()).peers.get(customer.peer.publicKey)
  expect(after?.received).toBeGreaterThan(received)
})

test('an interface that someone deletes comes back with its peers', async () => {
  const { rig, customer, machine } = await withCustomer()
  await rig.namespace.run('ip', 'link', 'delete', 'dev', rig.interfaceName)
  await rig.holds([customer.peer])
  await until(async () => (await rig.ask('/healthz')).startsWith('200'))
  await machine.reconnect()
  await until(() => machine.pings(NODE_IPV4))
})

test('an interface that someone takes down comes up', async () => {
  const { rig, machine } = await withCustomer('uapi', { watchMs: 200 })
  await rig.namespace.run('ip', 'link', 'set', 'dev', rig.interfaceName, 'down')
  await until(() => machine.pings(NODE_IPV4))
})

test('an interface that someone gives another name gets its own back, with its peers', async () => {
  const { rig, customer, machine } = await withCustomer('uapi', { watchMs: 200 })
  rig.namespace.ip(`link set dev ${rig.interfaceName} down
    link set dev ${rig.interfaceName} name another0`)
  await rig.holds([customer.peer])
  await until(() => machine.pings(NODE_IPV4))
})

test('a wireguard-go that was killed is started again, with the peers', async () => {
  const { rig, customer } = await withCustomer()
  const [pid = 0] = await rig.namespace.pids('wireguard-go')
  expect(pid).toBeGreaterThan(0)
  process.kill(pid, 'SIGKILL')
  await until(async () => !(await rig.namespace.pids('wireguard-go')).includes(pid))
  await rig.holds([customer.peer])
})
