import { isDeepStrictEqual } from 'node:util'
import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import type { DataPlane } from '#reconcile/data-plane.ts'
import { growthOf, type PeerChange, planChange, planRemoval } from '#reconcile/plan-change.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Metrics } from '#runtime/metrics.ts'
import type { DesiredState } from '#state/desired-state.ts'

/** What the shop wants of the node from now on. */
export type DesiredChange = PeerChange & { node: AgentNode; revision?: number }

type Parts = {
  state: DesiredState
  dataPlane: DataPlane
  clock: Pick<Clock, 'now'>
  metrics: Metrics
  /** Called with peers whose times may have changed. */
  planExpiry: (peers: Iterable<AgentPeer>) => void
  /** Builds device and network from the state. */
  rebuild: () => Promise<void>
}

/** Brings a change of the shop to device, network and state. */
export const createChangeApplier = ({ state, dataPlane, clock, metrics, planExpiry, rebuild }: Parts) => {
  const hasOtherPool = ({ ipv4, ipv6 }: AgentNode) =>
    ipv4 !== state.node()?.ipv4 || ipv6 !== state.node()?.ipv6
  const isNew = (node: AgentNode) => !isDeepStrictEqual(node, state.node())
  /** Another MTU, and another peer of the shop's own, are followed without building anything. */
  const isOther = (node: AgentNode) => {
    const { mtu: _mtu, shopPeer: _shopPeer, ...known } = state.node() ?? ({} as Partial<AgentNode>)
    const { mtu: _otherMtu, shopPeer: _otherPeer, ...wanted } = node
    return !isDeepStrictEqual(wanted, known)
  }
  const ensureShopPeer = async ({ shopPeer }: AgentNode): Promise<void> => {
    const known = state.node()?.shopPeer
    if (!isDeepStrictEqual(shopPeer, known)) await dataPlane.replaceShopPeer(known, shopPeer)
  }

  const save = async ({ node, set, gone }: DesiredChange): Promise<void> => {
    try {
      await state.save({ ...(isNew(node) ? { node } : {}), set, gone })
    } finally {
      // Known, even if it could not be written.
      planExpiry(set)
    }
  }

  /** When something is missing, or the node itself has changed. What cannot be written down is served all the same. */
  const rebuildWith = async (desired: DesiredChange): Promise<void> => {
    if (isOther(desired.node)) await dataPlane.discardNetwork()
    try {
      await save(desired)
    } finally {
      await rebuild()
    }
  }

  return async (desired: DesiredChange): Promise<void> => {
    if (hasOtherPool(desired.node)) await dataPlane.checkPool(desired.node)
    else if (desired.revision !== undefined) dataPlane.clearRefusal()
    const change = { node: desired.node, ...planChange(desired, state.peers, clock.now()) }
    const count = change.set.length + change.gone.length
    const growth = growthOf(change, state.peers)
    if (growth > 0) dataPlane.checkCapacity(state.peers.size + growth)
    if (!dataPlane.isWhole() || isOther(desired.node)) await rebuildWith(change)
    else if (count > 0) {
      await ensureShopPeer(desired.node)
      await dataPlane.change(
        change.set,
        planRemoval(change, state.peers, { address: state.idOfAddress, key: state.idOfKey }),
      )
      await save(change)
    } else if (isNew(desired.node)) {
      await ensureShopPeer(desired.node)
      await save(change)
    }
    metrics.applied(count)
    if (desired.revision !== undefined && desired.revision !== state.revision())
      await state.save({ revision: desired.revision })
  }
}
