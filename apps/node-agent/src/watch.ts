import type { Keeper } from './keeper.ts'
import type { Log } from './log.ts'
import type { Pace } from './pace.ts'
import { createPauses, jittered, pause } from './pauses.ts'

type Parts = { keeper: Keeper; pace: Pace; log: Log; signal: AbortSignal }

/**
 * Looks whether the interface is there and up, with its rules, and makes it again. It goes with its wireguard-go, so
 * this sees both.
 */
export const watchInterface = async ({ keeper, pace, log, signal }: Parts): Promise<void> => {
  const pauses = createPauses(pace.longestPauseMs)
  for (let ms = pace.watchMs; !signal.aborted; await pause(ms, signal)) {
    if (signal.aborted) break
    ms = pace.watchMs
    try {
      await keeper.ensure()
      pauses.reset()
    } catch (error) {
      ms = Math.max(pauses.next(), pace.watchMs)
      log.error(`The node is not as it should be: ${(error as Error).message}`)
    }
  }
}

/** Compares everything with the state, and puts right what somebody else changed. */
export const healRegularly = async ({ keeper, pace, log, signal }: Parts): Promise<void> => {
  while (!signal.aborted) {
    await pause(jittered(pace.healMs), signal)
    if (signal.aborted) break
    await keeper.heal().catch((error) => log.error(`Healing failed: ${error.message}`))
  }
}
