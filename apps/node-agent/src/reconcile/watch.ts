import { followDeletions } from '#network/deletions.ts'
import type { Reconciler } from '#reconcile/reconciler.ts'
import { createBackoff, jittered, pause } from '#runtime/backoff.ts'
import type { Log } from '#runtime/log.ts'
import type { Timings } from '#runtime/timings.ts'

type Parts = { reconciler: Reconciler; timings: Timings; log: Log; signal: AbortSignal }

/**
 * Looks whether the interface is there and up, with its rules, and makes it again: every few seconds, and at once when
 * the kernel says that rules are gone. The interface goes with its wireguard-go, so this sees both.
 */
export const watchInterface = async ({ reconciler, timings, log, signal }: Parts): Promise<void> => {
  const backoff = createBackoff(timings.longestPauseMs)
  const untilDeletion = followDeletions(signal)
  const untilNext = () => Promise.race([pause(timings.watchMs, signal), untilDeletion()])
  for (let next = untilNext(); !signal.aborted; ) {
    await next
    if (signal.aborted) break
    try {
      await reconciler.ensure()
      backoff.reset()
      next = untilNext()
    } catch (error) {
      // What it has replaced itself counts as deleted: no reason to be quicker.
      next = pause(backoff.next(), signal)
      log.error({ err: error }, 'The node could not be checked or repaired')
    }
  }
}

/** Compares everything with the state, and puts right what someone else changed. */
export const healRegularly = async ({ reconciler, timings, log, signal }: Parts): Promise<void> => {
  while (!signal.aborted) {
    await pause(jittered(timings.healMs), signal)
    if (signal.aborted) break
    await reconciler.heal().catch((error) => log.error({ err: error }, 'The network could not be repaired'))
  }
}
