import { runningVersion } from '@hedgerow/settings/running-version'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** What is known at the moment someone asks. */
export type Facts = {
  peers: number
  revision: number
  silentMs: number
  /** Names in each block list that was read. */
  listNames: ReadonlyMap<string, number>
}

export const createMetrics = (facts: () => Facts) => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `hedgerow_agent_${name}`,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  const counter = (name: string, help: string) =>
    new Counter({ name: `hedgerow_agent_${name}`, help, registers })

  gauge('peers', 'Peers that the shop wants on this node', () => facts().peers)
  gauge('revision', 'Revision of the shop that is applied', () => facts().revision)
  gauge('shop_heard_seconds', 'Seconds since the shop last answered', () =>
    Math.round(facts().silentMs / 1000),
  )
  new Gauge({
    name: 'hedgerow_agent_list_names',
    help: 'Names in each block list',
    labelNames: ['list'],
    registers,
    collect() {
      for (const [list, names] of facts().listNames) this.set({ list }, names)
    },
  })
  const healed = counter('healed_total', 'What was not as it should be, and was put right')
  const applied = counter('changes_total', 'Changes of the shop that were applied')
  const expired = counter('expired_total', 'Connections whose end has come')
  const driver = new Gauge({
    name: 'hedgerow_agent_driver',
    help: 'Which WireGuard carries the tunnels',
    labelNames: ['driver'],
    registers,
  })
  const build = new Gauge({
    name: 'hedgerow_agent_build_info',
    help: 'The version that runs',
    labelNames: ['version', 'commit', 'node'],
    registers,
  })
  const { version, commit } = runningVersion()
  build.set({ version, commit: commit ?? '', node: process.versions.node }, 1)
  return {
    registry,
    healed: (count: number) => healed.inc(count),
    applied: (count: number) => applied.inc(count),
    expired: (count: number) => expired.inc(count),
    driver: (name: string) => {
      driver.reset()
      driver.set({ driver: name }, 1)
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
