import { type FilterList, writeByList } from '@hedgerow/domain/filters'
import { runningVersion } from '@hedgerow/settings/running-version'
import { deleteLink } from '#device/link.ts'
import { openDriver } from '#device/open-driver.ts'
import { createHealthCheck, createShopContact, summaryOf } from '#health.ts'
import { createNetwork } from '#network/create-network.ts'
import { zonesIn } from '#network/filter-lists.ts'
import type { Stub } from '#network/resolver-config.ts'
import { requireResolver } from '#network/resolver-process.ts'
import { createSurroundings } from '#network/surroundings.ts'
import { createLook } from '#probe/look.ts'
import { createProbePeers } from '#probe/probe-peers.ts'
import { createServiceWatch } from '#probe/watch-service.ts'
import { claimInterfaces } from '#reconcile/claim.ts'
import { createDataPlane } from '#reconcile/data-plane.ts'
import { createReconciler } from '#reconcile/reconciler.ts'
import { healRegularly, watchInterface } from '#reconcile/watch.ts'
import { createHeard } from '#report/find-heard.ts'
import { reportRegularly } from '#report/report-regularly.ts'
import { pause } from '#runtime/backoff.ts'
import { createClock } from '#runtime/clock.ts'
import { startHealthServer } from '#runtime/health-server.ts'
import { createLog, type Log } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { Obstacle } from '#runtime/obstacle.ts'
import { acquireInstanceLock } from '#runtime/single-instance.ts'
import { TIMINGS, type Timings } from '#runtime/timings.ts'
import { type Settings, SettingsError } from '#settings.ts'
import { enrol } from '#shop/enrol.ts'
import { follow } from '#shop/follow.ts'
import { createShopClient } from '#shop/shop-client.ts'
import { saveIdentity } from '#state/identity.ts'
import { createTimeFile } from '#state/last-time.ts'
import { readListTimes } from '#state/list-times.ts'
import { loadState } from '#state/load-state.ts'
import { proveItself } from '#upgrade/prove.ts'
import { createUpgrader } from '#upgrade/upgrader.ts'
import { leadsOn, readVersionState, type Trial, versionsIn } from '#upgrade/version-store.ts'

/** What tests do otherwise. */
export type Variant = {
  timings?: Partial<Timings>
  openDriver?: typeof openDriver
  /** Names that are asked of one server, where there is no internet. */
  stubs?: readonly Stub[]
}

/** Of the parameters that it can set up a node with. */
const OBFUSCATION_VERSIONS = '2'

const logClock = (log: Log, aheadMs: number): void => {
  if (aheadMs === 0) log.info('The clock of this server is right again')
  else
    log.error(
      { aheadS: Math.round(aheadMs / 1000) },
      'The clock of this server differs from the shop’s, whose time is used: correct it',
    )
}

const forOperator = (error: unknown): never => {
  throw error instanceof Obstacle ? new SettingsError(error.message) : error
}

/** The agent's parts, made but not at work yet. Throws a SettingsError for what only the operator can put right. */
const createParts = async (
  settings: Settings,
  variant: Variant,
  timings: Timings,
  log: Log,
  signal: AbortSignal,
) => {
  const { interfaceName, stateDir } = settings
  const isOnTrial = readVersionState(versionsIn(stateDir)).trial !== undefined
  // Before anything is touched: the version before goes on.
  if (isOnTrial) await requireResolver().catch(forOperator)
  const surroundings = createSurroundings(settings)
  const lock = await acquireInstanceLock()
  const { identity, lastTime, state } = await loadState(stateDir)
  const { uplinks } = await surroundings.look()
  const isInUse = state.node() !== undefined
  const claimUplink = await claimInterfaces({
    ...settings,
    uplinks,
    privateKey: identity.privateKey,
    isInUse,
  }).catch(forOperator)
  const contact = createShopContact()
  const clock = createClock((aheadMs, wasAheadMs) => {
    if (aheadMs !== wasAheadMs) logClock(log, aheadMs)
    reconciler.heal().catch((error) => log.error({ err: error }, 'The network could not be repaired'))
    void timeFile.save()
  }, lastTime)
  const timeFile = createTimeFile(stateDir, clock)
  const listNames = new Map<FilterList, number>()
  const probePeers = createProbePeers()
  const metrics = createMetrics(() => ({
    listNames,
    peers: state.peers.size,
    revision: state.revision(),
    silentMs: contact.silentMs(),
  }))
  const dataPlane = createDataPlane({
    interfaceName,
    privateKey: identity.privateKey,
    openDriver: (obfuscation) => (variant.openDriver ?? openDriver)(interfaceName, stateDir, obfuscation),
    createNetwork: (node) =>
      createNetwork({
        interfaceName,
        surroundings: surroundings.now,
        node,
        bandwidthMbit: settings.bandwidth,
        prioritySharePercent: settings.priorityShare,
        listsDir: settings.listsDir,
        listNames,
        claimUplink,
        stateDir,
        isOnTrial,
        log,
        now: clock.now,
        ...(variant.stubs ? { stubs: variant.stubs } : {}),
      }),
    surroundings,
    probePeers: [probePeers.current.peer, probePeers.expired.peer],
    metrics,
    log,
  })
  const reconciler = createReconciler({
    state,
    dataPlane,
    clock,
    otherFaults: () => [...clock.faults(), ...timeFile.faults()],
    metrics,
    log,
  })
  const shop = createShopClient(settings.apiUrl, identity.secret, {
    signal,
    onTime: clock.sync,
    log,
  })
  const heard = createHeard(state.idOfKey, timings.heardMs)
  const service = createServiceWatch({
    reconciler,
    look: createLook({
      node: state.node,
      serverPublicKey: identity.publicKey,
      peers: probePeers,
      url: new URL(settings.probeUrl ?? settings.apiUrl),
      neighbours: () => surroundings.now().neighbours,
      zonesDir: zonesIn(stateDir),
      listsReadAfterMs: timings.listsReadAfterMs,
    }),
    timings,
    log,
    signal,
    isNew: !identity.isEnrolled,
  })
  return {
    isOnTrial,
    lock,
    identity,
    clock,
    timeFile,
    state,
    contact,
    metrics,
    reconciler,
    shop,
    listNames,
    heard,
    service,
    surroundings,
  }
}

type Parts = Awaited<ReturnType<typeof createParts>>

type Run = Parts & {
  settings: Settings
  timings: Timings
  checkHealth: ReturnType<typeof createHealthCheck>
  log: Log
  errorCount: () => number
  signal: AbortSignal
  /** Ends it without ending what it has started. */
  leave: () => void
}

const enrolOnce = async ({
  identity,
  shop,
  surroundings,
  settings,
  timings,
  log,
  signal,
}: Run): Promise<void> => {
  if (identity.isEnrolled) return
  const options = { log, signal, longestPauseMs: timings.longestPauseMs }
  const node = await enrol(shop, identity, settings.token, options)
  if (!node) return
  // Asked again with the next start, so that it is refused until there is another pool.
  await surroundings.checkPool(node).catch(forOperator)
  await saveIdentity(settings.stateDir, { ...identity, isEnrolled: true })
  log.info('The node has enrolled; AGENT_TOKEN is no longer needed')
}

const logHealth = async ({ timings, checkHealth, log, signal }: Run): Promise<void> => {
  while (!signal.aborted) {
    await pause(timings.healthLineMs, signal)
    if (!signal.aborted) log.info(checkHealth(), 'Health')
  }
}

/** Earlier versions noted only which part did not work, or that, and not why. */
const isSameFault = (known: string, fault: string): boolean =>
  known === fault || fault.startsWith(`${known.replace(/ does not work\.$/, '')} does not work`)

/** What a version on trial has not shown yet. */
const wrongWith =
  ({ checkHealth }: Pick<Run, 'checkHealth'>, hasApplied: () => boolean) =>
  ({ faults: before }: Trial): string[] => {
    const { isUp, faults } = checkHealth()
    return [
      ...(hasApplied() ? [] : ['What the shop wants has not been applied.']),
      ...(isUp ? [] : ['The interface is not up.']),
      ...faults.filter((fault) => !before.some((known) => isSameFault(known, fault))),
    ]
  }

const saidTimes = ({ listsDir, listUrls }: Settings): { listTimes?: string } => {
  const times = readListTimes(listsDir, (list) => listUrls[list].length > 0)
  return times.size > 0 ? { listTimes: writeByList(times) } : {}
}

/** Ends when the agent is stopped, and with an error only if the operator has to do something. */
const run = async (parts: Run): Promise<void> => {
  const { settings, reconciler, contact, listNames, heard, service, shop, state, timeFile, timings, log } =
    parts
  const { signal } = parts
  const { stateDir } = settings
  let hasApplied = false
  const isWrong = wrongWith(parts, () => hasApplied)
  // A new version that cannot enrol does not get further than this.
  const proving = proveItself({ ...parts, stateDir, isWrong })
  await enrolOnce(parts)
  if (signal.aborted) return proving
  await reconciler.start().catch((error) => log.error({ err: error }, 'The interface could not be created'))
  const upgrader = createUpgrader({ ...parts, faults: reconciler.faults })
  const about = () => {
    const faults = service.text()
    const shopKey = state.node()?.shopPeer?.publicKey
    return {
      ...upgrader.about(),
      ...(listNames.size > 0 ? { lists: writeByList(listNames) } : {}),
      ...saidTimes(settings),
      ...(faults === undefined ? {} : { faults }),
      ...(shopKey === undefined ? {} : { shopKey }),
      customers: heard.is(performance.now()) ? 'yes' : 'no',
      obfuscation: OBFUSCATION_VERSIONS,
    }
  }
  // The shop is not left waiting for the next question, which may be half a minute away.
  const sayAtOnce = () => shop.changes(state.revision(), 0, about()).catch(() => undefined)
  await Promise.all([
    proving,
    service.run(sayAtOnce),
    follow({
      ...parts,
      onContact: contact.note,
      onFailure: contact.noteFailure,
      onApplied: () => {
        hasApplied = true
      },
      about,
      onUpgrade: upgrader.offer,
      isAnew: parts.isOnTrial,
    }),
    watchInterface(parts),
    healRegularly(parts),
    timeFile.saveRegularly(timings, signal),
    reportRegularly({ ...parts, isUsageReported: settings.isUsageReported, onHeardChange: sayAtOnce }),
    logHealth(parts),
  ])
}

/** Starts everything. Throws a SettingsError for what only the operator can put right. */
export const startAgent = async (settings: Settings, variant: Variant = {}) => {
  let errors = 0
  const log = createLog(settings.logLevel, () => errors++)
  const stopping = new AbortController()
  const { signal } = stopping
  const timings = { ...TIMINGS, ...variant.timings }
  const parts = await createParts(settings, variant, timings, log, signal)
  const { lock, state, timeFile, metrics, reconciler } = parts
  const checkHealth = createHealthCheck(parts)
  const server = await startHealthServer(
    metrics.registry,
    () => {
      const health = checkHealth()
      return { isHealthy: health.isHealthy, text: summaryOf(health) }
    },
    settings.metricsPort,
  )
  log.info({ ...runningVersion(), metrics: server.address() }, 'The agent has started')
  let isLeaving = false
  const leave = () => {
    isLeaving = true
    stopping.abort()
  }
  const running = run({
    ...parts,
    settings,
    timings,
    checkHealth,
    log,
    errorCount: () => errors,
    signal,
    leave,
  })

  return {
    running,
    /** It ends for another version of it: as after a crash, the tunnels are there for that one. */
    isLeaving: () => isLeaving,
    leave: async (): Promise<void> => {
      // A later version replaces the resolver when it is ready to; an earlier one may have another, which cannot listen beside it.
      if (!leadsOn(readVersionState(versionsIn(settings.stateDir)), runningVersion().version))
        await reconciler.stop()
      await state.close()
    },
    /**
     * The kernel's interface stays, with its peers: customers notice nothing of an agent that is started again, and
     * what ends meanwhile is shut by the kernel. A program is one that the agent started, so it is ended, by
     * deleting its interface, and with it all sessions; customers' tunnels find their way back after the next start.
     */
    stop: async (): Promise<void> => {
      stopping.abort()
      await running.catch(() => undefined)
      const driver = await reconciler.stop()
      if (driver && driver !== 'kernel') await deleteLink(settings.interfaceName)
      await timeFile.save()
      await state.close()
      lock.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
