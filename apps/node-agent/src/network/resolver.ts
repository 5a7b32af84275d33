import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FilterList } from '@hedgerow/domain/filters'
import type { Logger } from 'pino'
import { createFilterLists, zonesIn } from '#network/filter-lists.ts'
import type { Slot } from '#network/own-addresses.ts'
import type { Stub } from '#network/resolver-config.ts'
import {
  endOrphan,
  endResolver,
  findOrphan,
  isAlive,
  isReady,
  type ResolverProcess,
  startResolver,
} from '#network/resolver-process.ts'
import { watchLists } from '#network/watch-lists.ts'
import { createBackoff, pause } from '#runtime/backoff.ts'
import { createMutex } from '#runtime/mutex.ts'

/** Questions that are under way when the other slot takes over still get their answers. */
const LINGER_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

type Options = {
  listsDir: string
  listNames: Map<FilterList, number> | undefined
  stateDir: string
  stubs: readonly Stub[]
  /** Sends the customers' questions to this slot. */
  useSlot: (slot: Slot) => Promise<void>
  log: Logger
}

const other = (slot: Slot): Slot => (slot === 0 ? 1 : 0)

type Running = Pick<Options, 'stubs' | 'useSlot'> & {
  dir: string
  zonesDir: string
  isStopped: () => boolean
  onExit: () => void
}

/** The process at work, replaced by one on another slot, or by one on its own after it has died. */
const createRunningResolver = ({ dir, zonesDir, stubs, useSlot, isStopped, onExit }: Running) => {
  let current: ResolverProcess | undefined

  const startOn = async (slot: Slot): Promise<void> => {
    await endOrphan(dir, slot)
    const started = await startResolver(dir, zonesDir, slot, stubs, isStopped)
    started.child.once('exit', () => {
      if (!isStopped() && current === started) onExit()
    })
    const old = current
    current = started
    try {
      await useSlot(slot)
    } catch (error) {
      // The one before is asked on.
      current = old
      await endResolver(started)
      throw error
    }
    if (old) {
      await setTimeout(LINGER_MS)
      await endResolver(old)
    } else await endOrphan(dir, other(slot))
  }

  return {
    isServing: () => current !== undefined && isAlive(current),
    isReady: async () => current !== undefined && isAlive(current) && (await isReady(current.config)),
    /** The slot that a resolver works on, perhaps one that an agent before this one left behind. */
    activeSlot: async (): Promise<Slot> =>
      current?.slot ?? ((await findOrphan(dir, 1)) === undefined ? 0 : 1),
    /** Starts one in the place of a dead one. One that is left behind answers until this one does. */
    start: async (): Promise<void> => {
      const slot = current?.slot ?? ((await findOrphan(dir, 0)) === undefined ? 0 : 1)
      const dead = current
      current = undefined
      if (dead) await endResolver(dead)
      await startOn(slot)
    },
    /** Puts a fresh one in the place of the one at work; returns whether there was one. */
    replace: async (): Promise<boolean> => {
      if (!current) return false
      await startOn(other(current.slot))
      return true
    },
    end: async (): Promise<void> => {
      if (current) await endResolver(current)
    },
  }
}

/** Tries to start it until it runs; not more than once at a time. It knows why it could not. */
const createStarter = (ensure: () => Promise<boolean>, signal: AbortSignal, log: Logger) => {
  let isStarting = false
  let failure: Error | undefined
  const start = async (): Promise<void> => {
    if (isStarting) return
    isStarting = true
    const backoff = createBackoff(LONGEST_PAUSE_MS)
    while (!signal.aborted) {
      try {
        await ensure()
        failure = undefined
        break
      } catch (error) {
        if (signal.aborted) break
        failure = error as Error
        log.error({ err: error }, 'The resolver could not be started')
        await pause(backoff.next(), signal)
      }
    }
    isStarting = false
  }
  return { start, isStarting: () => isStarting, failure: () => failure }
}

/**
 * One unbound at work. New lists mean a new one on the other slot of addresses: unbound answers nobody while it
 * reads a list (seven seconds for 500,000 names), so the old one goes on answering until the new one is ready.
 */
export const createResolver = ({ listsDir, listNames, stateDir, stubs, useSlot, log }: Options) => {
  const dir = join(stateDir, 'resolver')
  const zonesDir = zonesIn(stateDir)
  const lists = createFilterLists(listsDir, zonesDir, log, listNames)
  const exclusively = createMutex()
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted
  const onExit = () => {
    log.error('The resolver has stopped unexpectedly, and is started again')
    void starter.start()
  }
  const running = createRunningResolver({ dir, zonesDir, stubs, useSlot, isStopped, onExit })
  /** Stays true until a resolver has them. */
  let hasNewLists = false
  let stopWatching: (() => void) | undefined

  /** Starts it unless it runs; returns whether it was dead. */
  const ensure = (): Promise<boolean> =>
    exclusively(async () => {
      if (isStopped() || (await running.isReady())) return false
      await lists.update()
      await running.start()
      hasNewLists = false
      if (!isStopped()) stopWatching ??= watchLists(listsDir, lists.signature, reload, log)
      return true
    })
  const reload = (): Promise<void> =>
    exclusively(async () => {
      // Nothing is written any more once it is stopped: the folder may be gone.
      if (isStopped()) return
      if (await lists.update()) hasNewLists = true
      if (!hasNewLists || !(await running.replace())) return
      hasNewLists = false
      log.info('The resolver now uses the new filter lists')
    })

  const starter = createStarter(ensure, stopping.signal, log)

  return {
    start: (): void => void starter.start(),
    /** Starts it again if it is dead, unless that is being done. Returns whether it was. */
    heal: async (): Promise<boolean> => !starter.isStarting() && !exclusively.isBusy() && (await ensure()),
    isServing: running.isServing,
    /** Why it could not be started. */
    failure: starter.failure,
    activeSlot: running.activeSlot,
    stop: async (): Promise<void> => {
      stopping.abort()
      stopWatching?.()
      await exclusively(running.end)
    },
  }
}
