import type { FilterList } from '@hedgerow/domain/filters'
import type { Logger } from 'pino'
import { createFilterLists, zonesIn } from '#network/filter-lists.ts'
import type { ResolverOptions } from '#network/resolver-config.ts'
import {
  endOrphans,
  endResolver,
  isAlive,
  isReady,
  type ResolverProcess,
  reloadLists,
  requireResolver,
  startResolver,
} from '#network/resolver-process.ts'
import { watchLists } from '#network/watch-lists.ts'
import { createBackoff, pause } from '#runtime/backoff.ts'
import { createMutex } from '#runtime/mutex.ts'

const LONGEST_PAUSE_MS = 30_000

type Options = ResolverOptions & {
  listsDir: string
  listNames: Map<FilterList, number> | undefined
  /** Otherwise it outlives a crash, for the next agent to replace it. */
  endsWithAgent: boolean
  log: Logger
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

/** The process at work. A new one takes the place of one that has died; new lists it reads while it answers. */
export const createResolver = ({ listsDir, listNames, endsWithAgent, log, ...options }: Options) => {
  const lists = createFilterLists(listsDir, zonesIn(options.stateDir), log, listNames)
  const exclusively = createMutex()
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted
  let current: ResolverProcess | undefined
  /** Stays true until the resolver has them. */
  let hasNewLists = false
  let stopWatching: (() => void) | undefined

  const isServing = () => current !== undefined && isAlive(current)

  const replace = async (): Promise<void> => {
    await requireResolver()
    const dead = current
    current = undefined
    if (dead) await endResolver(dead)
    if (await endOrphans(options.stateDir)) log.info('The resolver of the agent before this one was ended')
    const started = await startResolver(options, endsWithAgent, isStopped)
    current = started
    started.child.once('exit', () => {
      if (isStopped() || current !== started) return
      log.error('The resolver has stopped unexpectedly, and is started again')
      void starter.start()
    })
  }

  /** Starts it unless it runs; returns whether it was dead. */
  const ensure = (): Promise<boolean> =>
    exclusively(async () => {
      if (isStopped() || (current && isAlive(current) && (await isReady(current)))) return false
      await lists.update()
      await replace()
      hasNewLists = false
      if (!isStopped()) stopWatching ??= watchLists(listsDir, lists.signature, reload, log)
      return true
    })
  const reload = (): Promise<void> =>
    exclusively(async () => {
      // Nothing is written any more once it is stopped: the folder may be gone.
      if (isStopped()) return
      if (await lists.update()) hasNewLists = true
      if (!hasNewLists || !current || !isAlive(current)) return
      await reloadLists(current)
      hasNewLists = false
      log.info('The resolver now uses the new filter lists')
    })

  const starter = createStarter(ensure, stopping.signal, log)

  return {
    start: (): void => void starter.start(),
    /** Starts it again if it is dead, unless that is being done. Returns whether it was. */
    heal: async (): Promise<boolean> => !starter.isStarting() && !exclusively.isBusy() && (await ensure()),
    isServing,
    /** Why it could not be started. */
    failure: starter.failure,
    stop: async (): Promise<void> => {
      stopping.abort()
      stopWatching?.()
      await exclusively(async () => {
        if (current) await endResolver(current)
      })
    },
  }
}
