import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createEnd, type Namespace, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { afterAll, beforeAll, test } from 'vitest'
import { createNodeRig } from '#testing/node-rig.ts'
import { aPeer } from '#testing/peers.ts'
import { openUplink, SERVER } from '#testing/uplink.ts'

const SENDER = fileURLToPath(new URL('testing/sender.ts', import.meta.url))
const DOWNLOAD_PORT = 9000
const UPLOAD_PORTS = { priority: 9001, normal: 9002 }
type Name = keyof typeof UPLOAD_PORTS

/** What passed in so many bytes of both: enough that neither buffers nor a late start matter. A busy machine may keep one waiting. */
const BYTES = 3_000_000
const BEFORE = 300_000

/** Fills so many connections, and says how many bytes have come. */
const FILL = `const [port, streams] = process.argv.slice(1)
  const sockets = Array.from({ length: Number(streams) }, () => require('node:net').connect(Number(port), '${SERVER}'))
  let bytes = 0
  for (const socket of sockets) {
    const fill = () => { while (socket.write(Buffer.alloc(65536))); }
    if (port !== '${DOWNLOAD_PORT}') socket.on('drain', fill).on('connect', fill)
    socket.on('data', (data) => (bytes += data.length)).on('error', () => process.exit(1))
  }
  // What waits in buffers would be sent on.
  process.on('SIGTERM', () => { for (const socket of sockets) socket.resetAndDestroy(); process.exit() })
  setInterval(() => console.log(bytes), 50)`

/** Takes what comes to a port, and says how many bytes it was. */
const SINK = `let bytes = 0
  require('node:net').createServer((socket) => socket.on('data', (data) => (bytes += data.length)).on('error', () => 0))
    .listen(Number(process.argv[1]))
  setInterval(() => console.log(bytes), 50)`

/** What a program says that prints a number again and again. */
const numberOf = (child: ChildProcess) => {
  let number = 0
  child.stdout?.on('data', (data) => {
    number = Number(String(data).trim().split('\n').at(-1))
  })
  return () => number
}

/** Customers and what they reach are both behind the uplink, as they are at a real node. */
const { atEnd, end } = createEnd()
const machines = new Map<Name, Namespace>()
const uploaded = new Map<Name, () => number>()

beforeAll(async () => {
  requireTunnels()
  const rig = await createNodeRig(atEnd)
  const uplink = await openUplink(rig, atEnd)
  const { internet } = uplink
  internet.spawn(process.execPath, [SENDER, 'serve', String(DOWNLOAD_PORT)])
  for (const name of ['priority', 'normal'] as const)
    uploaded.set(name, numberOf(internet.spawn(process.execPath, ['-e', SINK, String(UPLOAD_PORTS[name])])))
  const customers = { priority: aPeer(2, { hasPriority: true }), normal: aPeer(3) }
  rig.shop.set(customers.priority.peer, customers.normal.peer)
  rig.start({ AGENT_UPLINK: uplink.name, AGENT_BANDWIDTH: '8', AGENT_PRIORITY_SHARE: '80' })
  await rig.holds([customers.priority.peer, customers.normal.peer])
  for (const name of ['priority', 'normal'] as const) machines.set(name, await uplink.plugIn(customers[name]))
})
afterAll(end)

const start = (name: Name, what: 'download' | 'upload', streams: number) => {
  const port = what === 'upload' ? UPLOAD_PORTS[name] : DOWNLOAD_PORT
  const child = machines.get(name)?.spawn(process.execPath, ['-e', FILL, String(port), String(streams)])
  if (!child) throw new Error('The machines are there only while the tests run')
  const said = numberOf(child)
  const count = what === 'upload' ? (uploaded.get(name) as () => number) : said
  const before = count()
  return {
    bytes: () => count() - before,
    end: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

test.each([
  ['download', 1, 8],
  ['download', 8, 1],
  ['upload', 1, 8],
  ['upload', 8, 1],
] as const)(
  'priority has its share of each %s, with %i streams against %i',
  async (what, ofPriority, ofNormal) => {
    const [priority, normal] = [start('priority', what, ofPriority), start('normal', what, ofNormal)]
    await until(() => priority.bytes() > BEFORE && normal.bytes() > BEFORE)
    await until(async () => {
      const before = [priority.bytes(), normal.bytes()] as const
      const passed = () => [priority.bytes() - before[0], normal.bytes() - before[1]] as const
      await until(() => passed()[0] + passed()[1] > BYTES)
      const [more, less] = passed()
      console.info(`${what}, ${ofPriority} streams against ${ofNormal}: ${more} and ${less} bytes`)
      return less > 0 && more > 2 * less
    })
    await Promise.all([priority.end(), normal.end()])
  },
)
