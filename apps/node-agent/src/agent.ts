import type { AgentNode } from '@hedgerow/contract/agents'
import { createClock } from './clock.ts'
import { deleteLink, findUplink } from './device/link.ts'
import { openDriver } from './device/open-driver.ts'
import { holdServer } from './hold-server.ts'
import { type Identity, keepIdentity } from './identity.ts'
import { createKeeper } from './keeper.ts'
import { loadState } from './load-state.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { createNetwork } from './network/create-network.ts'
import type { Stub } from './network/resolver-config.ts'
import { PACE, type Pace } from './pace.ts'
import { pause } from './pauses.ts'
import { reportRegularly } from './report/report-regularly.ts'
import { type Health, serveHealth } from './serve-health.ts'
import { createServing } from './serving.ts'
import { type Settings, SettingsError } from './settings.ts'
import { enrol } from './shop/enrol.ts'
import { follow } from './shop/follow.ts'
import { createShopClient } from './shop/shop-client.ts'
import { healRegularly, watchInterface } from './watch.ts'

/** What tests do otherwise. */
export type Variant = {
  pace?: Partial<Pace>
  openDriver?: typeof openDriver
  /** Names that are asked of one server, where there is no internet. */
  stubs?: readonly Stub[]
}

/** Longer than any answer of the shop waits. */
const HEARD_WITHIN_MS = 120_000

const requireUplink = async ({ uplink }: Settings): Promise<string> => {
  const name = uplink ?? (await findUplink())
  if (!name) throw new SettingsError('AGENT_UPLINK is required here: there is no default route to find it by')
  return name
}

/** Starts everything. Throws a SettingsError for what only the operator can put right. */
export const startAgent = async (settings: Settings, variant: Variant = {}) => {
  const { interfaceName, stateDir } = settings
  const pace = { ...PACE, ...variant.pace }
  const log = createLog(settings.logLevel)
  const uplink = await requireUplink(settings)
  const lock = await holdServer()
  const { identity, state } = await loadState(stateDir)
  const stopping = new AbortController()
  const { signal } = stopping
  const clock = createClock((aheadMs) => {
    const seconds = Math.round(Math.abs(aheadMs) / 1000)
    if (aheadMs === 0) log.info('The clock of this server is right again')
    else
      log.error(
        `The clock of this server is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the shop's, whose time is used: set it right`,
      )
    keeper.heal().catch((error) => log.error(`Healing failed: ${error.message}`))
  })
  const shop = createShopClient(settings.apiUrl, identity.secret, { signal, onTime: clock.hear, log })
  /** By a clock that nobody sets. */
  let heardAt = performance.now()

  const metrics = createMetrics(() => ({
    peers: state.peers.size,
    revision: state.revision(),
    silentMs: performance.now() - heardAt,
  }))
  const serving = createServing({
    interfaceName,
    privateKey: identity.privateKey,
    openDriver: () => (variant.openDriver ?? openDriver)(interfaceName, stateDir),
    createNetwork: (node: AgentNode) =>
      createNetwork({
        interfaceName,
        uplink,
        node,
        bandwidthMbit: settings.bandwidth,
        prioritySharePercent: settings.priorityShare,
        listsDir: settings.listsDir,
        stateDir,
        log,
        now: clock.now,
        ...(variant.stubs ? { stubs: variant.stubs } : {}),
      }),
    metrics,
    log,
  })
  const keeper = createKeeper({ state, serving, clock, metrics, log })
  const health = (): Health => {
    const silentMs = performance.now() - heardAt
    const [isUp, isHeard, faults] = [keeper.isUp(), silentMs < HEARD_WITHIN_MS, keeper.faults()]
    const line = [
      isUp ? 'the interface is up' : 'the interface is not as it should be',
      ...faults.map((part) => `${part[0]?.toLowerCase()}${part.slice(1)} does not work`),
      `the shop was heard ${Math.round(silentMs / 1000)} s ago`,
      `${state.peers.size} peers at revision ${state.revision()}`,
    ].join(', ')
    return { isWell: isUp && isHeard && faults.length === 0, line }
  }
  const server = await serveHealth(metrics.registry, health, settings.metricsPort)
  log.info({ metrics: server.address() }, 'The agent has started')

  const enrolOnce = async (known: Identity): Promise<void> => {
    if (known.isEnrolled) return
    const options = { log, signal, longestPauseMs: pace.longestPauseMs }
    const node = await enrol(shop, known, settings.token, options)
    if (!node) return
    await keepIdentity(stateDir, { ...known, isEnrolled: true })
    log.info('The node has enrolled; AGENT_TOKEN is no longer needed')
  }
  const sayHealth = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(pace.healthLineMs, signal)
      if (!signal.aborted) log.info(health())
    }
  }
  /** Ends when the agent is stopped, and with an error only if the operator has to do something. */
  const run = async (): Promise<void> => {
    await enrolOnce(identity)
    if (signal.aborted) return
    await keeper.start().catch((error) => log.error(`The interface cannot be made: ${error.message}`))
    const parts = { ...settings, shop, state, keeper, pace, log, signal }
    const onHeard = () => {
      heardAt = performance.now()
    }
    await Promise.all([
      follow({ ...parts, onHeard }),
      watchInterface(parts),
      healRegularly(parts),
      reportRegularly(parts),
      sayHealth(),
    ])
  }
  const running = run()

  return {
    running,
    /**
     * The kernel's interface stays, with its peers: customers notice nothing of an agent that is started again, and
     * what ends meanwhile is shut by the kernel. wireguard-go is a program that the agent started, so it is ended, by
     * deleting its interface, and with it all sessions; customers' tunnels find their way back after the next start.
     */
    stop: async (): Promise<void> => {
      stopping.abort()
      await running.catch(() => undefined)
      const driver = await keeper.stop()
      if (driver === 'wireguard-go') await deleteLink(interfaceName)
      await state.close()
      lock.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
