import type { ServiceWatch } from '#probe/watch-service.ts'
import type { Reconciler } from '#reconcile/reconciler.ts'
import type { DesiredState } from '#state/desired-state.ts'

/** Longer than any answer of the shop waits. */
const CONTACT_WITHIN_MS = 120_000

/** When the shop last answered, by a monotonic clock. */
export const createShopContact = () => {
  let lastAt = performance.now()
  let failure: string | undefined
  return {
    note: (): void => {
      lastAt = performance.now()
      failure = undefined
    },
    /** Why it was not reached since. */
    noteFailure: (error: Error): void => {
      failure = error.message
    },
    failure: () => failure,
    silentMs: (): number => performance.now() - lastAt,
  }
}

type Parts = {
  reconciler: Reconciler
  state: DesiredState
  contact: ReturnType<typeof createShopContact>
  service: Pick<ServiceWatch, 'faults'>
}

export const createHealthCheck =
  ({ reconciler, state, contact, service }: Parts) =>
  () => {
    const silentMs = contact.silentMs()
    const [isUp, faults] = [reconciler.isUp(), reconciler.faults()]
    const unserved = (service.faults() ?? []).filter((fault) => !faults.includes(fault))
    return {
      isHealthy: isUp && silentMs < CONTACT_WITHIN_MS && faults.length + unserved.length === 0,
      isUp,
      faults,
      /** What else customers do not get, as the last tries showed. */
      unserved,
      silentS: Math.round(silentMs / 1000),
      silentWhy: contact.failure(),
      peers: state.peers.size,
      revision: state.revision(),
    }
  }

type Health = ReturnType<ReturnType<typeof createHealthCheck>>

/** In one line, for people. */
export const summaryOf = ({ isUp, faults, unserved, silentS, silentWhy, peers, revision }: Health): string =>
  [
    `${isUp ? 'the interface is up' : 'the interface is not set up correctly'}, the shop last answered ${silentS} s ago, ${peers} peers at revision ${revision}.`,
    ...(silentWhy === undefined ? [] : [`${silentWhy}.`]),
    ...faults,
    ...unserved,
  ].join(' ')
