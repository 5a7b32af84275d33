import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createFirewall } from '@hedgerow/node-agent/network/firewall'
import { median, round } from './measure.ts'

/**
 * What one change costs a node's firewall with 100 and with 50,000 customers: one customer's filters change, as
 * the agent does it. Needs root; runs in a network namespace of its own, which it removes.
 */
const SIZES = [100, 50_000]
const CHANGES = 40
const NAMESPACE = `hrbench${process.pid}`

const policy = (index: number, filters: number) => ({
  ipv4: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  ipv6: `fd90::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`.replace('::0:', '::'),
  filters,
  hasPriority: index % 2 === 0,
  expiresAt: new Date(Date.now() + 30 * 86_400_000),
})

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const measure = async (size: number) => {
  const firewall = createFirewall({
    interfaceName: 'wg0',
    surroundings: () => ({ uplinks: ['up0'], neighbours: [], tunnelMtu: 1420, faults: [] }),
    ipv4: '10.0.0.0/8',
    ipv6: 'fd90::/64',
    listenPort: 51820,
    oldPorts: [],
    log: console,
  })
  const policies = Array.from({ length: size }, (_, index) => policy(index + 2, index % 8))
  const ensureMs = await timed(() => firewall.ensure(policies))
  const changes: number[] = []
  for (let i = 0; i < CHANGES; i++) changes.push(await timed(() => firewall.apply([policy(50, i % 8)], [])))
  const batchMs = await timed(() =>
    firewall.apply(
      policies.slice(0, 500).map((it) => ({ ...it, filters: 7 })),
      [],
    ),
  )
  const current = policies.map((it, i) => (i < 500 ? { ...it, filters: 7 } : it))
  const healMs = await timed(() => firewall.heal(current))
  return { size, ensureMs, changeMs: median(changes), batchMs, healMs }
}

if (process.argv[2] === 'inside') {
  const results = []
  for (const size of SIZES) results.push(await measure(size))
  for (const { size, ensureMs, changeMs, batchMs, healMs } of results) {
    console.log(
      `${size} customers: one change ${round(changeMs, 1)} ms, a batch of up to 500 ${round(batchMs)} ms, all at the start ${round(ensureMs)} ms, a look at all ${round(healMs)} ms`,
    )
  }
  const [small, large] = results
  console.log(`ratio ${SIZES.join(' to ')}: ${round((large?.changeMs ?? 0) / (small?.changeMs ?? 1), 2)}`)
} else {
  execFileSync('ip', ['netns', 'add', NAMESPACE])
  try {
    const self = fileURLToPath(import.meta.url)
    const child = spawn('ip', ['netns', 'exec', NAMESPACE, process.execPath, self, 'inside'], {
      stdio: 'inherit',
    })
    const [code] = await once(child, 'exit')
    process.exitCode = code ?? 1
  } finally {
    execFileSync('ip', ['netns', 'del', NAMESPACE])
  }
}
