import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AtEnd, createEnd, createNamespace, type Namespace } from '@hedgerow/testing/namespaces'
import type { PeerPolicy } from '#network/network.ts'
import { without } from '#testing/agent-process.ts'
import { bundled } from '#testing/bundled.ts'
import { customerIn } from '#testing/customer.ts'

export const INTERNET = { ipv4: '203.0.113.10', ipv6: '2001:db8::10' }
export const NODE = { ipv4: '10.90.0.1', ipv6: '2001:db8:90::1' }
/** The node's public addresses. */
export const UPLINK = { ipv4: '203.0.113.1', ipv6: '2001:db8::1' }
const CUSTOMERS = ['ann', 'ben', 'eve'] as const
export type Customer = (typeof CUSTOMERS)[number]

const number = (customer: Customer) => CUSTOMERS.indexOf(customer) + 2
export const addressOf = (customer: Customer) => ({
  ipv4: `10.90.0.${number(customer)}`,
  ipv6: `2001:db8:90::${number(customer)}`,
})

export const policy = (customer: Customer, change: Partial<PeerPolicy> = {}): PeerPolicy => ({
  ...addressOf(customer),
  filters: 0,
  hasPriority: false,
  expiresAt: null,
  ...change,
})

/** Starts a program and waits until it says that it is ready. */
const startCommand = async (where: Namespace, program: string, ...args: string[]): Promise<ChildProcess> => {
  const child = where.spawn(program, args, {}, ['ignore', 'inherit', 'inherit', 'ipc'])
  await once(child, 'message')
  return child
}

/** The same for a script of this folder. */
const startScript = async (where: Namespace, script: string, ...args: string[]): Promise<ChildProcess> => {
  const file = fileURLToPath(new URL(script, import.meta.url))
  return startCommand(where, process.execPath, file, ...args)
}

/** A customer's machine, whose end of the cable is called tun. */
const addCustomer = async (node: Namespace, name: Customer, atEnd: AtEnd): Promise<Namespace> => {
  const machine = await createNamespace(atEnd)
  const { ipv4, ipv6 } = addressOf(name)
  node.ip(`link add ${name} type veth peer name tun netns ${machine.name}`)
  machine.ip(
    `link set tun up
    addr add ${ipv4}/32 dev tun
    addr add ${ipv6}/128 dev tun nodad
    route add default via ${NODE.ipv4} dev tun onlink
    route add ::/0 via ${NODE.ipv6} dev tun onlink`,
  )
  return machine
}

/** A bridge whose ports are isolated is the tunnel. */
const makeTunnelIn = async (node: Namespace): Promise<void> => {
  const plug = (name: Customer) => `link set ${name} master wg0
    link set ${name} type bridge_slave isolated on
    link set ${name} up`
  node.ip(
    `link add wg0 type bridge
    link set wg0 up
    addr add ${NODE.ipv4}/16 dev wg0
    addr add ${NODE.ipv6}/64 dev wg0 nodad
    ${CUSTOMERS.map(plug).join('\n')}`,
  )
  await node.attempt('sh', '-c', 'echo 0 | tee /proc/sys/net/bridge/bridge-nf-call-ip*tables')
}

const connectInternet = (node: Namespace, net: Namespace): void => {
  node.ip(
    `link add up0 type veth peer name up1 netns ${net.name}
    link set up0 up
    addr add 203.0.113.1/32 dev up0
    addr add 2001:db8::1/128 dev up0 nodad`,
  )
  net.ip(
    `link set up1 up
    addr add ${INTERNET.ipv4}/24 dev up1
    addr add 8.8.4.4/32 dev up1
    addr add 10.66.0.1/32 dev up1
    addr add 169.254.169.254/32 dev up1
    addr add ${INTERNET.ipv6}/64 dev up1 nodad`,
  )
  // Nothing is beside the node, as at many providers: all of the internet is behind the router.
  node.ip(
    `route add default via ${INTERNET.ipv4} dev up0 onlink
    route add ::/0 via ${INTERNET.ipv6} dev up0 onlink`,
  )
}

/** Perhaps where a tool is missing. */
type Start = { missing?: string; isOnTrial?: boolean; prioritySharePercent?: number }

/** The network half of an agent in a process of its own, and calls of its methods. */
const createNetworkProcess = (node: Namespace, options: object) => {
  let agent: ChildProcess | undefined
  let calls = 0
  return {
    start: async ({ missing, ...change }: Start = {}): Promise<void> => {
      const script = await bundled('./network-process.ts')
      const command = [process.execPath, script, JSON.stringify({ ...options, ...change })] as const
      agent = await (missing
        ? startCommand(node, ...without(missing, command))
        : startCommand(node, ...command))
    },
    kill: async (): Promise<void> => {
      if (!agent || agent.exitCode !== null) return
      agent.kill('SIGKILL')
      await once(agent, 'exit')
    },
    call: (method: string, ...args: unknown[]): Promise<string[]> =>
      new Promise((resolve, reject) => {
        const id = ++calls
        const onMessage = (message: { id: number; answer?: string[]; error?: string }) => {
          if (message.id !== id) return
          agent?.off('message', onMessage)
          if (message.error) reject(new Error(message.error))
          else resolve(message.answer ?? [])
        }
        agent?.on('message', onMessage)
        agent?.send({ id, method, args })
      }),
  }
}

/** A node with three customers and the internet behind it. */
export const createTestNode = async (change: object = {}) => {
  const { atEnd, end } = createEnd()
  const dir = await mkdtemp(join(tmpdir(), 'hedgerow-node-'))
  atEnd(() => rm(dir, { recursive: true }))
  const [node, net] = [await createNamespace(atEnd), await createNamespace(atEnd)]
  const machines = new Map<Customer, Namespace>()
  const listsDir = join(dir, 'lists')
  await mkdir(listsDir)
  for (const name of CUSTOMERS) machines.set(name, await addCustomer(node, name, atEnd))
  connectInternet(node, net)
  await makeTunnelIn(node)
  await Promise.all([
    startScript(net, 'internet.ts', 'dns', '25', '80', '443', '853', '5001'),
    startScript(net, 'sender.ts', 'serve', '9000'),
    startScript(node, 'internet.ts', 'no-dns', '22'),
  ])
  const agent = createNetworkProcess(node, {
    interfaceName: 'wg0',
    uplink: 'up0',
    node: {
      name: 'Leeds & <b>York</b>',
      ipv4: '10.90.0.0/16',
      ipv6: '2001:db8:90::/64',
      listenPort: 51820,
      oldPorts: [],
      shop: { name: 'Hedgerow', renewUrl: 'https://shop.example/products' },
    },
    bandwidthMbit: 1000,
    prioritySharePercent: 80,
    listsDir,
    stateDir: join(dir, 'state'),
    stubs: ['com', 'net', 'org'].map((zone) => ({ zone, address: INTERNET.ipv4 })),
    ...change,
  })
  return {
    /** The node's own machine, and the one that is the internet. */
    node,
    net,
    machine: (name: Customer) => machines.get(name) as Namespace,
    customer: (name: Customer) => customerIn(machines.get(name) as Namespace, NODE.ipv4),
    dir,
    writeList: (list: string, text: string) => writeFile(join(listsDir, `${list}.txt`), text),
    makeTunnel: () => makeTunnelIn(node),
    startAgent: agent.start,
    killAgent: agent.kill,
    ensure: (policies: readonly PeerPolicy[]) => agent.call('ensure', policies),
    apply: (set: readonly PeerPolicy[], gone: readonly object[] = []) => agent.call('apply', set, gone),
    heal: (policies: readonly PeerPolicy[]) => agent.call('heal', policies),
    followSurroundings: () => agent.call('followSurroundings'),
    stop: () => agent.call('stop'),
    remove: end,
  }
}

export type TestNode = Awaited<ReturnType<typeof createTestNode>>
