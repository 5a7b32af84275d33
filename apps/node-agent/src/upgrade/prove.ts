import { LONGEST_UPGRADE_REASON } from '@hedgerow/domain/node-upgrades'
import { createBackoff, pause } from '#runtime/backoff.ts'
import type { Log } from '#runtime/log.ts'
import type { Timings } from '#runtime/timings.ts'
import { type ShopClient, ShopRefusal } from '#shop/shop-client.ts'
import {
  pruneVersions,
  readVersionState,
  saveVersionState,
  type Trial,
  versionsIn,
  withFailure,
  withSuccess,
} from '#upgrade/version-store.ts'

type Parts = {
  stateDir: string
  shop: ShopClient
  timings: Timings
  /** What is wrong by now, each in a sentence; empty once it is as it should be. */
  isWrong: (trial: Trial) => string[]
  leave: () => void
  log: Log
  signal: AbortSignal
}

/** Reports the outcome of a trial until the shop has taken it in. One that the shop no longer knows needs no report. */
const tell = async ({ stateDir, shop, timings, log, signal }: Parts): Promise<void> => {
  const versionsDir = versionsIn(stateDir)
  const { outcome } = readVersionState(versionsDir)
  if (!outcome) return
  const { id: upgrade, state, reason } = outcome
  const backoff = createBackoff(timings.longestPauseMs)
  while (!signal.aborted) {
    try {
      await shop.upgradeReport({ upgrade, state, reason })
      break
    } catch (error) {
      if (error instanceof ShopRefusal && error.status === 422) break
      log.warn({ err: error }, 'The outcome of an upgrade could not be reported')
      await pause(backoff.next(), signal)
    }
  }
  if (signal.aborted) return
  // Read again: another upgrade may have begun.
  const { outcome: told, ...rest } = readVersionState(versionsDir)
  if (told?.id === upgrade) await saveVersionState(versionsDir, rest)
}

/** This is not the version on trial, which the launcher could not start: that is noted as soon as the disk takes it. */
const noteNotTried = async (
  { stateDir, shop, timings, log, signal }: Parts,
  { id }: Trial,
  reason: string,
): Promise<void> => {
  const versionsDir = versionsIn(stateDir)
  await shop
    .upgradeReport({ upgrade: id, state: 'failed', reason: reason.slice(0, LONGEST_UPGRADE_REASON) })
    .catch((error) => log.warn({ err: error }, 'The outcome of an upgrade could not be reported yet'))
  const backoff = createBackoff(timings.longestPauseMs)
  while (!signal.aborted) {
    try {
      return await saveVersionState(versionsDir, withFailure(readVersionState(versionsDir), reason))
    } catch (error) {
      log.warn({ err: error }, 'That an upgrade was not tried could not be noted')
      await pause(backoff.next(), signal)
    }
  }
}

/** A version on trial shows that it serves customers as the one before it did, or makes room for that one again. */
export const proveItself = async (parts: Parts): Promise<void> => {
  const { stateDir, timings, isWrong, leave, log, signal } = parts
  const versionsDir = versionsIn(stateDir)
  const { trial } = readVersionState(versionsDir)
  const { AGENT_NOT_TRIED: notTried } = process.env
  if (trial && notTried !== undefined) await noteNotTried(parts, trial, `it could not be tried: ${notTried}`)
  else if (trial) {
    const until = performance.now() + timings.trialMs
    let wrong = isWrong(trial)
    while (wrong.length > 0 && performance.now() < until && !signal.aborted) {
      await pause(timings.trialLookMs, signal)
      wrong = isWrong(trial)
    }
    if (signal.aborted) return
    const state = readVersionState(versionsDir)
    if (wrong.length > 0) {
      const reason = `after ${Math.round(timings.trialMs / 1000)} s: ${wrong.join(' ')}`
      log.error({ reason }, 'This version is given up, for the one before it')
      await saveVersionState(versionsDir, withFailure(state, reason))
      leave()
      return
    }
    const proven = withSuccess(state)
    await saveVersionState(versionsDir, proven)
    await pruneVersions(versionsDir, proven).catch((error) => log.warn({ err: error }, 'Old versions stay'))
    log.info('This version has proved itself')
  }
  await tell(parts)
}
