/**
 * `npm run bench:obfuscated`: Mbit/s of TCP through an obfuscated node's tunnel beside a plain node's, turn by turn, each with
 * the agent's rules and queues. Needs root, network namespaces, what the agent's tests need, and amneziawg-go, which
 * AMNEZIAWG_GO names.
 */
import { randomInt } from 'node:crypto'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startAmneziaDevice, startDevice } from '@hedgerow/node-agent/testing/device'
import { createNodeRig } from '@hedgerow/node-agent/testing/node-rig'
import { aPeer } from '@hedgerow/node-agent/testing/peers'
import { openUplink, SERVER } from '@hedgerow/node-agent/testing/uplink'
import { createEnd, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { drawObfuscation } from '@hedgerow/wireguard/obfuscation'
import { median, round } from './measure.ts'

const program = process.env.AMNEZIAWG_GO
if (!program) throw new Error('AMNEZIAWG_GO has to name amneziawg-go')
const file = (path: string) => fileURLToPath(new URL(`../apps/node-agent/src/${path}`, import.meta.url))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
/** More than passes here. */
const BANDWIDTH_MBIT = 10_000
const PORTS = { downloads: 9000, uploads: 5001 } as const

requireTunnels()
const { atEnd, end } = createEnd()

const openNode = async (obfuscation?: Obfuscation) => {
  const rig = await createNodeRig(atEnd, obfuscation)
  const uplink = await openUplink(rig, atEnd)
  uplink.internet.spawn(process.execPath, [file('testing/sender.ts'), 'serve', String(PORTS.downloads)])
  uplink.internet.spawn(process.execPath, [file('testing/internet.ts'), 'no-dns', String(PORTS.uploads)])
  const customer = aPeer(2)
  rig.shop.set(customer.peer)
  const settings = {
    AGENT_UPLINK: uplink.name,
    AGENT_BANDWIDTH: String(BANDWIDTH_MBIT),
    AGENT_LOG_LEVEL: 'error',
    PATH: `${dirname(program)}${delimiter}${process.env.PATH}`,
  }
  rig.namespace.spawn(process.execPath, [file('main.ts')], { ...rig.env, ...settings })
  await rig.holds([customer.peer])
  const node = { publicKey: rig.shop.publicKey(), port: rig.shop.node.listenPort }
  const device = obfuscation
    ? await startAmneziaDevice(rig.namespace, customer, node, { program, obfuscation }, atEnd)
    : await startDevice(rig.namespace, rig.stateDir, customer, node, atEnd)
  // Both with the MTU that an obfuscated node's file says.
  device.namespace.ip(`link set ${device.name} mtu 1280\nroute add ${SERVER}/32 dev ${device.name}`)
  await until(() => device.pings(SERVER))
  return device
}

try {
  const draw = (least: number, most: number) => randomInt(least, most + 1)
  const devices = { plain: await openNode(), obfuscated: await openNode(drawObfuscation(draw)) }
  const found = new Map<string, number[]>()
  for (let i = 0; i < ROUNDS; i++)
    for (const [name, device] of Object.entries(devices))
      for (const way of ['downloads', 'uploads'] as const) {
        const key = `${name} ${way}`
        found.set(key, [...(found.get(key) ?? []), await device[way](SERVER, PORTS[way], SECONDS)])
      }
  const of = (key: string) => median(found.get(key) ?? [])
  console.log(`machine: ${process.arch}; medians of ${ROUNDS} × ${SECONDS} s, Mbit/s`)
  console.table(
    ['downloads', 'uploads'].map((way) => ({
      what: way,
      plain: round(of(`plain ${way}`)),
      obfuscated: round(of(`obfuscated ${way}`)),
      ratio: round(of(`obfuscated ${way}`) / of(`plain ${way}`), 2),
    })),
  )
} finally {
  await end()
}
