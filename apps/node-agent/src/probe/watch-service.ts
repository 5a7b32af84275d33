import { LONGEST_FAULTS } from '@hedgerow/domain/nodes'
import type { Reconciler } from '#reconcile/reconciler.ts'
import { pause } from '#runtime/backoff.ts'
import type { Log } from '#runtime/log.ts'
import type { Timings } from '#runtime/timings.ts'

/** Other programs' words may be in it, and the shop takes no control characters. */
const inOneLine = (fault: string): string => fault.replaceAll(/\p{Cc}+/gu, ' ').trim()

type Parts = {
  reconciler: Pick<Reconciler, 'isUp' | 'faults'>
  look: () => Promise<string[]>
  timings: Timings
  log: Log
  signal: AbortSignal
  /** A node that has never served is not believed before it was tried. */
  isNew: boolean
}

const NOT_TRIED = 'The node has not been tried as a customer yet.'
const NOT_TRIED_NOW = 'The node could not be tried as a customer: the agent’s log says why.'
const NOT_UP = 'The tunnel’s interface is not set up.'

/**
 * What customers do not get at the moment. Between well and not well a second look decides, so that one lost packet takes no
 * node out of the shop.
 */
export const createServiceWatch = ({ reconciler, look, timings, log, signal, isNew }: Parts) => {
  /** Undefined: it has not been looked yet. */
  let verdict: string[] | undefined = isNew ? [NOT_TRIED] : undefined

  const knownFaults = (): string[] => [...(reconciler.isUp() ? [] : [NOT_UP]), ...reconciler.faults()]
  const findFaults = async (): Promise<string[]> => {
    const known = knownFaults()
    if (known.length > 0) return known
    return look().catch((error) => {
      log.error({ err: error }, NOT_TRIED_NOW)
      return [NOT_TRIED_NOW]
    })
  }
  /** Returns whether it is news. */
  const adopt = (faults: string[]): boolean => {
    if (verdict?.join('\n') === faults.join('\n')) return false
    verdict = faults
    if (faults.length > 0) log.error({ faults }, 'Customers are not served as they should be')
    else log.info('Customers are served')
    return true
  }

  /** What the agent knows without a look does not wait for the next one. */
  const untilNextLook = async (): Promise<void> => {
    const at = performance.now() + timings.lookMs
    while (!signal.aborted && performance.now() < at && knownFaults().length === 0)
      await pause(Math.min(timings.secondLookMs, timings.lookMs), signal)
  }

  return {
    /** In sentences; undefined: it is not known yet. */
    faults: () => verdict,
    /** The same as the shop gets it. */
    text: (): string | undefined => verdict?.map(inOneLine).join('\n').slice(0, LONGEST_FAULTS),
    /** Until the signal; `onChange` is called when what is said has changed. */
    run: async (onChange: () => void): Promise<void> => {
      while (!signal.aborted) {
        let found = await findFaults()
        const isAsBefore = verdict !== undefined && (verdict.length === 0) === (found.length === 0)
        if (!isAsBefore) {
          await pause(timings.secondLookMs, signal)
          if (signal.aborted) break
          const again = await findFaults()
          if ((again.length === 0) !== (found.length === 0)) {
            await pause(timings.secondLookMs, signal)
            continue
          }
          found = again
        }
        if (adopt(found)) onChange()
        // It is sold again soon after the cause has gone.
        await (found.length > 0 ? pause(timings.secondLookMs, signal) : untilNextLook())
      }
    },
  }
}

export type ServiceWatch = ReturnType<typeof createServiceWatch>
