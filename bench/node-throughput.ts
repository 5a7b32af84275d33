/**
 * `npm run bench:throughput`: Mbit/s of TCP through a node's tunnel with the agent's rules and queues, beside the same
 * wireguard-go process with one masquerading rule. Two devices of five thousand are behind the uplink, and so is what they
 * reach. Needs root, network namespaces, and what the agent's tests need; and iperf3.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createNodeRig } from '@hedgerow/node-agent/testing/node-rig'
import { aPeer, manyPeers } from '@hedgerow/node-agent/testing/peers'
import { openUplink, SERVER } from '@hedgerow/node-agent/testing/uplink'
import { createEnd, requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { median, round } from './measure.ts'

const AGENT = fileURLToPath(new URL('../apps/node-agent/src/main.ts', import.meta.url))
const PEERS = Number(process.env.BENCH_PEERS ?? 5000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
/** More than passes here, so that the queues cost what they cost and hold nothing back. */
const BANDWIDTH_MBIT = 10_000
const FLOWS = [1, 8]
const WAYS = ['download', 'upload'] as const
/** What the first moments bring comes out of buffers. */
const WARM_UP_SECONDS = 1

requireTunnels()
const { atEnd, end } = createEnd()
try {
  const rig = await createNodeRig(atEnd)
  const { namespace, interfaceName, shop } = rig
  const uplink = await openUplink(rig, atEnd)
  uplink.internet.spawn('iperf3', ['-s'], {}, 'ignore')
  const customer = aPeer(2, { hasPriority: true, filters: 7 })
  const others = manyPeers(PEERS - 1).map((peer, i) => ({
    ...peer,
    hasPriority: i % 2 === 0,
    filters: i % 8,
  }))
  shop.set(customer.peer, ...others)
  const settings = {
    AGENT_UPLINK: uplink.name,
    AGENT_BANDWIDTH: String(BANDWIDTH_MBIT),
    AGENT_LOG_LEVEL: 'error',
  }
  const agent = namespace.spawn(process.execPath, [AGENT], { ...rig.env, ...settings }, [
    'ignore',
    'inherit',
    'inherit',
  ])
  await rig.holds([customer.peer, ...others])
  const device = await uplink.plugIn(customer)

  const isThere = async (...command: [string, ...string[]]) =>
    (await namespace.attempt(...command)).code === 0
  const hasQueues = async (name: string) =>
    (await namespace.run('tc', 'qdisc', 'show', 'dev', name)).includes('htb')
  const table = `hedgerow_${interfaceName}`
  const withoutQueues = async () => {
    for (const name of [interfaceName, uplink.name])
      await namespace.attempt('tc', 'qdisc', 'del', 'dev', name, 'root')
  }
  const withoutRules = async () => {
    // It holds the guard's table, which nothing else can take away.
    for (const pid of await namespace.pids('nft')) process.kill(pid)
    await until(async () => !(await isThere('nft', 'list', 'table', 'inet', `${table}_guard`)))
    await namespace.run('nft', 'flush', 'ruleset')
    await namespace.run('nft', 'add table ip bare')
    await namespace.run('nft', 'add chain ip bare leaving { type nat hook postrouting priority srcnat; }')
    await namespace.run('nft', `add rule ip bare leaving oifname ${uplink.name} masquerade`)
  }
  /** The agent puts right what is missing, and stands still while it is measured. */
  const withAll = async () => {
    await namespace.attempt('nft', 'delete', 'table', 'inet', table)
    agent.kill('SIGCONT')
    await until(
      async () =>
        (await isThere('nft', 'list', 'table', 'inet', `${table}_guard`)) &&
        (await isThere('nft', 'list', 'table', 'inet', table)) &&
        (await hasQueues(interfaceName)) &&
        (await hasQueues(uplink.name)),
    )
    await namespace.attempt('nft', 'delete', 'table', 'ip', 'bare')
    agent.kill('SIGSTOP')
  }
  const variants: Record<string, () => Promise<void>> = {
    'the agent': async () => undefined,
    'its rules without its queues': withoutQueues,
    'one rule': async () => {
      await withoutQueues()
      await withoutRules()
    },
  }

  const tryOnce = async (way: (typeof WAYS)[number], flows: number): Promise<number> => {
    const out = await device.run(
      'iperf3',
      ...['-c', SERVER, '-J', '-t', String(SECONDS), '-O', String(WARM_UP_SECONDS), '-P', String(flows)],
      ...(way === 'download' ? ['-R'] : []),
    )
    const { end, error } = JSON.parse(out)
    if (error) throw new Error(`iperf3: ${error}`)
    return end.sum_received.bits_per_second / 1_000_000
  }
  /** iperf3's server listens anew after each run, which takes it a moment. */
  const measure = (way: (typeof WAYS)[number], flows: number) => until(() => tryOnce(way, flows))

  const found = new Map<string, number[]>()
  for (let i = 0; i < ROUNDS; i++)
    for (const [name, change] of Object.entries(variants)) {
      await withAll()
      await change()
      for (const way of WAYS)
        for (const flows of FLOWS) {
          const key = `${name}, ${way}, ${flows}`
          found.set(key, [...(found.get(key) ?? []), await measure(way, flows)])
        }
    }
  agent.kill('SIGCONT')

  const of = (name: string, way: string, flows: number) =>
    median(found.get(`${name}, ${way}, ${flows}`) ?? [])
  console.log(`machine: ${process.arch}; ${PEERS} peers, medians of ${ROUNDS} × ${SECONDS} s, Mbit/s`)
  console.table(
    WAYS.flatMap((way) =>
      FLOWS.map((flows) => {
        const bare = of('one rule', way, flows)
        const all = of('the agent', way, flows)
        const rules = of('its rules without its queues', way, flows)
        return {
          what: `${way}, ${flows} ${flows === 1 ? 'flow' : 'flows'}`,
          'the agent': round(all),
          'without queues': round(rules),
          'one rule': round(bare),
          ratio: round(all / bare, 2),
          'ratio without queues': round(rules / bare, 2),
          aim: '≥ 0.96',
        }
      }),
    ),
  )
  agent.kill('SIGTERM')
  await once(agent, 'exit')
} finally {
  await end()
}
