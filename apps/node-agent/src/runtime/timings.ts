import { LONGEST_WAIT_S } from '@hedgerow/contract/agents'
import { UPGRADE_TRIAL_S } from '@hedgerow/domain/node-upgrades'

/** How often things are done. Tests make it faster; operators have no reason to. */
export const TIMINGS = {
  /** How long an answer of the shop may wait for changes. */
  waitS: LONGEST_WAIT_S,
  longestPauseMs: 30_000,
  /** Between two questions to a shop that does not know this node. */
  refusedMs: 300_000,
  resyncMs: 3_600_000,
  watchMs: 2_000,
  healMs: 300_000,
  scanMs: 30_000,
  awaitedScanMs: 1_000,
  /** Customers' packets count as new until a little after the next scan. */
  heardMs: 35_000,
  usageMs: 300_000,
  /** The shop forgets within minutes what it does not hear again. */
  usedTwiceMs: 60_000,
  /** WireGuard gives a session up after 180 s without a handshake. */
  idleMs: 180_000,
  healthLineMs: 60_000,
  /** How often the time is written down for the next start. */
  timeMs: 30_000,
  /** Between two tries of the node as a customer: a look may take a quarter of a minute, and the shop knows within 90 s. */
  lookMs: 40_000,
  secondLookMs: 4_000,
  /** So long after a list was written the resolver has surely read it. */
  listsReadAfterMs: 60_000,
  /** A version on trial has so long to prove itself, each time that it is started. */
  trialMs: UPGRADE_TRIAL_S * 1000,
  trialLookMs: 500,
}
export type Timings = Readonly<typeof TIMINGS>
