import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerPolicy } from '#network/network.ts'
import { createNamespaces } from './namespaces.ts'

export const INTERNET = { ipv4: '203.0.113.10', ipv6: '2001:db8::10' }
export const NODE = { ipv4: '10.90.0.1', ipv6: '2001:db8:90::1' }
export const CUSTOMERS = ['ann', 'ben', 'eve'] as const
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

/** A node with three customers and the internet behind it. A bridge whose ports are isolated is the tunnel. */
export const createTestNode = async (change: object = {}) => {
  const namespaces = createNamespaces(['node', 'net', ...CUSTOMERS])
  const dir = mkdtempSync(join(tmpdir(), 'hedgerow-node-'))
  const listsDir = join(dir, 'lists')
  await mkdir(listsDir)

  for (const name of CUSTOMERS) {
    const { ipv4, ipv6 } = addressOf(name)
    namespaces.ip('node', `link add ${name} type veth peer name tun netns {${name}}`)
    namespaces.ip(
      name,
      `link set tun up
      addr add ${ipv4}/32 dev tun
      addr add ${ipv6}/128 dev tun nodad
      route add default via ${NODE.ipv4} dev tun onlink
      route add ::/0 via ${NODE.ipv6} dev tun onlink`,
    )
  }
  const makeTunnel = async () => {
    const plug = (name: Customer) => `link set ${name} master wg0
      link set ${name} type bridge_slave isolated on
      link set ${name} up`
    namespaces.ip(
      'node',
      `link add wg0 type bridge
      link set wg0 up
      addr add ${NODE.ipv4}/16 dev wg0
      addr add ${NODE.ipv6}/64 dev wg0 nodad
      ${CUSTOMERS.map(plug).join('\n')}`,
    )
    await namespaces.run('node', 'sh', '-c', 'echo 0 | tee /proc/sys/net/bridge/bridge-nf-call-ip*tables')
  }
  namespaces.ip(
    'node',
    `link add up0 type veth peer name up1 netns {net}
    link set up0 up
    addr add 203.0.113.1/24 dev up0
    addr add 2001:db8::1/64 dev up0 nodad`,
  )
  namespaces.ip(
    'net',
    `link set up1 up
    addr add ${INTERNET.ipv4}/24 dev up1
    addr add 8.8.4.4/32 dev up1
    addr add 10.66.0.1/32 dev up1
    addr add 169.254.169.254/32 dev up1
    addr add ${INTERNET.ipv6}/64 dev up1 nodad`,
  )
  namespaces.ip('node', `route add default via ${INTERNET.ipv4}\nroute add ::/0 via ${INTERNET.ipv6}`)
  await makeTunnel()
  await namespaces.start('net', 'internet.ts', 'dns', '80', '443', '853', '5001')
  await namespaces.start('node', 'internet.ts', 'no-dns', '22')

  const options = {
    interfaceName: 'wg0',
    uplink: 'up0',
    node: {
      ipv4: '10.90.0.0/16',
      ipv6: '2001:db8:90::/64',
      shop: { name: 'Hedgerow', renewUrl: 'https://shop.example/products' },
    },
    bandwidthMbit: 1000,
    prioritySharePercent: 80,
    listsDir,
    stateDir: join(dir, 'state'),
    stubs: ['com', 'net', 'org'].map((zone) => ({ zone, address: INTERNET.ipv4 })),
    ...change,
  }

  let agent: ChildProcess | undefined
  let calls = 0
  const call = (method: string, ...args: unknown[]): Promise<string[]> =>
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
    })
  const startAgent = async () => {
    agent = await namespaces.start('node', 'network-process.ts', JSON.stringify(options))
  }
  const killAgent = async () => {
    if (!agent || agent.exitCode !== null) return
    agent.kill('SIGKILL')
    await once(agent, 'exit')
  }
  const remove = async () => {
    namespaces.remove()
    await rm(dir, { recursive: true })
  }
  return {
    ...namespaces,
    dir,
    writeList: (list: string, text: string) => writeFile(join(listsDir, `${list}.txt`), text),
    makeTunnel,
    startAgent,
    killAgent,
    ensure: (policies: readonly PeerPolicy[]) => call('ensure', policies),
    apply: (set: readonly PeerPolicy[], gone: readonly object[] = []) => call('apply', set, gone),
    heal: (policies: readonly PeerPolicy[]) => call('heal', policies),
    stop: () => call('stop'),
    remove,
  }
}

export type TestNode = Awaited<ReturnType<typeof createTestNode>>
