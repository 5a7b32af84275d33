import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 500

/** Up to a quarter less or more, so that many nodes do not ask at the same moment. */
export const jittered = (ms: number): number => Math.round(ms * (0.75 + Math.random() / 2))

/** Sleeps; returns early, without an error, when the agent stops. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

/** Pauses that double from one failure to the next, jittered. */
export const createBackoff = (longestMs: number) => {
  let next = FIRST_PAUSE_MS
  return {
    next: (): number => {
      const now = Math.min(next, longestMs)
      next = Math.min(next * 2, longestMs)
      return Math.min(jittered(now), longestMs)
    },
    reset: (): void => {
      next = FIRST_PAUSE_MS
    },
  }
}
