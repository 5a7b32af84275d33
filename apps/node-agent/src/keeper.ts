import { isDeepStrictEqual } from 'node:util'
import type { AgentNode } from '@hedgerow/contract/agents'
import type { Clock } from './clock.ts'
import { createExpiry, type Due, isToBeRemoved } from './expiry.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { growthOf, type PeerChange, planChange, planRemoval } from './plan-change.ts'
import type { Serving } from './serving.ts'
import type { DesiredState } from './state/desired-state.ts'
import { createTurns } from './turns.ts'

export type Wanted = PeerChange & { node: AgentNode; revision?: number }

type Parts = { state: DesiredState; serving: Serving; clock: Pick<Clock, 'now'>; metrics: Metrics; log: Log }

/** Keeps device and network equal to the desired state. Everything that changes them happens here, one after the other. */
export const createKeeper = ({ state, serving, clock, metrics, log }: Parts) => {
  const inTurn = createTurns()
  let isStopped = false

  const make = async (): Promise<void> => {
    const node = state.node()
    if (node && !isStopped) await serving.make(node, state.peers)
  }
  const isNew = (node: AgentNode) => !isDeepStrictEqual(node, state.node())

  const keep = async ({ node, set, gone }: Wanted): Promise<void> => {
    try {
      await state.keep({ ...(isNew(node) ? { node } : {}), set, gone })
    } finally {
      // Known, even if it could not be written.
      expiry.plan(set)
    }
  }

  /** When something is missing, or the node itself has changed. What cannot be written down is served all the same. */
  const remakeWith = async (wanted: Wanted): Promise<void> => {
    if (isNew(wanted.node)) await serving.renew()
    try {
      await keep(wanted)
    } finally {
      await make()
    }
  }

  const apply = async (wanted: Wanted): Promise<void> => {
    const change = { node: wanted.node, ...planChange(wanted, state.peers, clock.now()) }
    const count = change.set.length + change.gone.length
    const growth = growthOf(change, state.peers)
    if (growth > 0) serving.checkCapacity(state.peers.size + growth)
    if (!serving.isWhole() || isNew(wanted.node)) await remakeWith(change)
    else if (count > 0) {
      await serving.change(change.set, planRemoval(change, state.peers))
      await keep(change)
    }
    metrics.applied(count)
    if (wanted.revision !== undefined && wanted.revision !== state.revision())
      await state.keep({ revision: wanted.revision })
  }

  const onDue = ({ expired, removed }: Due) =>
    inTurn(async () => {
      metrics.expired(expired)
      const node = state.node()
      if (node && removed.length > 0) await apply({ node, set: [], gone: removed })
    }).catch((error) => {
      log.error(`What has expired could not be removed, and is tried again: ${error.message}`)
      throw error
    })
  const expiry = createExpiry(state.peers, onDue, clock.now)

  return {
    isUp: () => serving.isUp(state.node()),
    faults: serving.faults,
    apply: (wanted: Wanted) => inTurn(() => apply(wanted)),
    /** At the start: what ended while nobody looked goes before anything is made. */
    start: () =>
      inTurn(async () => {
        const now = clock.now()
        const late = [...state.peers.values()].filter((peer) => isToBeRemoved(peer, now))
        try {
          await state.keep({ gone: late.map(({ id }) => id) })
        } finally {
          expiry.plan(state.peers.values())
          await make()
        }
      }),
    /** Makes everything again if something is missing. */
    ensure: () =>
      inTurn(async () => {
        if (!serving.isUp(state.node())) return make()
        if (await serving.isGuarded()) return serving.mend()
        log.warn('The firewall’s rules were missing or changed')
        metrics.healed(1)
        await make()
      }),
    heal: () =>
      inTurn(async () => {
        const node = state.node()
        if (node) await serving.heal(node, state.peers)
      }),
    read: () => inTurn(() => serving.read(state.node())),
    /** Lets WireGuard forget where these peers were. */
    forget: (keys: readonly string[]) =>
      inTurn(() => serving.forget(keys.flatMap((key) => state.peers.get(state.idOfKey(key) ?? '') ?? []))),
    /** Answers what carried the tunnels. */
    stop: () => {
      isStopped = true
      expiry.stop()
      return inTurn(serving.stop)
    },
  }
}

export type Keeper = ReturnType<typeof createKeeper>
