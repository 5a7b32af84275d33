import { fileURLToPath } from 'node:url'
import { connect, createNamespace, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { startDevice } from '#testing/device.ts'
import { createNodeRig } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'

requireTunnels()

const script = (name: string) => fileURLToPath(new URL(`testing/${name}`, import.meta.url))
const OUTSIDE = { ipv4: '203.0.113.10', ipv6: '2001:db8:5::10' }

/** Asks until an answer of 1,340 bytes has come, which does not fit into the tunnel. */
const askLarge = (address: string) => `
  const socket = require('dgram').createSocket('${address.includes(':') ? 'udp6' : 'udp4'}')
  socket.on('message', (answer) => process.exit(answer.length === 1340 ? 0 : 1))
  setInterval(() => socket.send('x', 9001, '${address}'), 200)`
const answerLarge = (address: string) => `
  const socket = require('dgram').createSocket('${address.includes(':') ? 'udp6' : 'udp4'}')
  socket.on('message', (_, { port, address }) => socket.send(Buffer.alloc(1340), port, address))
  socket.bind(9001, '${address}')`

test('a device whose file leaves it a larger MTU than the node has loses nothing, in either direction', async () => {
  const rig = await createNodeRig()
  const outside = await createNamespace()
  const { a, b, nameA, nameB } = await connect(rig.namespace, outside)
  rig.namespace.ip(
    `address add 2001:db8:4::1/64 dev ${nameA} nodad
    route replace default via ${b}
    route add ::/0 via 2001:db8:4::2`,
  )
  outside.ip(
    `address add 2001:db8:4::2/64 dev ${nameB} nodad
    address add ${OUTSIDE.ipv4}/32 dev lo
    address add ${OUTSIDE.ipv6}/128 dev lo nodad
    route add default via ${a}
    route add ::/0 via 2001:db8:4::1`,
  )
  outside.spawn(process.execPath, [script('sender.ts'), 'serve', '9000'])
  outside.spawn(process.execPath, [script('internet.ts'), 'no-dns', '5001'])
  for (const address of Object.values(OUTSIDE)) outside.spawn(process.execPath, ['-e', answerLarge(address)])
  const customer = aPeer(2)
  rig.shop.node.mtu = 1280
  rig.shop.set(customer.peer)
  rig.start({ AGENT_UPLINK: nameA })
  await rig.holds([customer.peer])
  const end = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const device = await startDevice(rig.namespace, rig.stateDir, customer, end)
  device.namespace.ip(`route add ${OUTSIDE.ipv4}/32 dev ${device.name}
    route add ${OUTSIDE.ipv6}/128 dev ${device.name}`)
  for (const address of Object.values(OUTSIDE)) {
    await until(() => device.pings(address))
    expect(await rig.namespace.run('cat', `/sys/class/net/${rig.interfaceName}/mtu`)).toBe('1280\n')
    expect((await device.run('ping', '-c', '1', '-w', '60', '-M', 'do', '-s', '1372', address)).code).toBe(0)
    await until(async () => (await device.downloads(address, 9000, 1)) > 0)
    await until(async () => (await device.uploads(address, 5001, 1)) > 0)
    expect((await device.run('timeout', '60', process.execPath, '-e', askLarge(address))).code).toBe(0)
  }
}, 180_000)
