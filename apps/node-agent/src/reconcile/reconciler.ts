import type { AgentPeer } from '@hedgerow/contract/agents'
import { createChangeApplier, type DesiredChange } from '#reconcile/apply-change.ts'
import type { DataPlane } from '#reconcile/data-plane.ts'
import { createExpiry, type Due, isToBeRemoved } from '#reconcile/expiry.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Log } from '#runtime/log.ts'
import type { Metrics } from '#runtime/metrics.ts'
import { createMutex } from '#runtime/mutex.ts'
import type { DesiredState } from '#state/desired-state.ts'

type Parts = {
  state: DesiredState
  dataPlane: DataPlane
  clock: Pick<Clock, 'now'>
  /** Of the server itself, in sentences. */
  otherFaults: () => readonly string[]
  metrics: Metrics
  log: Log
}

const overdueIds = ({ peers }: DesiredState, now: number): string[] =>
  [...peers.values()].filter((peer) => isToBeRemoved(peer, now)).map(({ id }) => id)

/** Perhaps one was renewed since it was due. */
const hasExpired = ({ expiresAt }: AgentPeer, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

/** Keeps device and network equal to the desired state. Everything that changes them happens here, one after the other. */
export const createReconciler = ({ state, dataPlane, clock, otherFaults, metrics, log }: Parts) => {
  const exclusively = createMutex()
  let isStopped = false
  const peersOf = (ids: readonly string[]) => ids.flatMap((id) => state.peers.get(id) ?? [])

  const rebuild = async (): Promise<void> => {
    const node = state.node()
    if (node && !isStopped) await dataPlane.build(node, state.peers)
  }
  const onDue = ({ expired, removed }: Due) =>
    exclusively(async () => {
      metrics.expired(expired.length)
      await dataPlane.shutOut(peersOf(expired).filter((peer) => hasExpired(peer, clock.now())))
      const node = state.node()
      if (node && removed.length > 0) await apply({ node, set: [], gone: removed })
    }).catch((error) => {
      log.error({ err: error }, 'Expired connections could not be removed; this is tried again')
      throw error
    })
  const expiry = createExpiry(state.peers, onDue, clock.now)
  const apply = createChangeApplier({ state, dataPlane, clock, metrics, planExpiry: expiry.plan, rebuild })

  /** At the start: what ended meanwhile goes before anything is made. */
  const start = async (): Promise<void> => {
    try {
      await state.save({ gone: overdueIds(state, clock.now()) })
    } finally {
      expiry.plan(state.peers.values())
      await rebuild()
    }
  }
  /** Builds everything again if something is missing. */
  const ensure = async (): Promise<void> => {
    if (!dataPlane.isUp(state.node())) return rebuild()
    if (await dataPlane.areRulesIntact()) {
      await dataPlane.followSurroundings(state.node())
      return dataPlane.retryFailed()
    }
    log.warn('The firewall’s rules were missing or changed')
    metrics.healed(1)
    await rebuild()
  }
  const heal = async (): Promise<void> => {
    const node = state.node()
    if (node) await dataPlane.heal(node, state.peers)
  }

  return {
    isUp: () => dataPlane.isUp(state.node()),
    faults: () => [...otherFaults(), ...dataPlane.faults()],
    apply: (desired: DesiredChange) => exclusively(() => apply(desired)),
    start: () => exclusively(start),
    ensure: () => exclusively(ensure),
    heal: () => exclusively(heal),
    /** `onTurn` is called when it begins: what else is done may come first. */
    read: (onTurn: () => void) =>
      exclusively(() => {
        onTurn()
        return dataPlane.read(state.node())
      }),
    /** Lets WireGuard forget where these peers were. */
    forget: (keys: readonly string[]) =>
      exclusively(() => dataPlane.forget(peersOf(keys.flatMap((key) => state.idOfKey(key) ?? [])))),
    /** Returns what carried the tunnels. */
    stop: () => {
      isStopped = true
      expiry.stop()
      return exclusively(dataPlane.stop)
    },
  }
}

export type Reconciler = ReturnType<typeof createReconciler>
