import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createPauses, pause } from '#pauses.ts'
import { createTurns } from '#turns.ts'
import { createFilterLists } from './filter-lists.ts'
import type { Bank } from './own-addresses.ts'
import type { Stub } from './resolver-config.ts'
import {
  endResolver,
  isAlive,
  isReady,
  leftBehind,
  type ResolverProcess,
  startResolver,
} from './resolver-process.ts'
import { watchLists } from './watch-lists.ts'

/** Questions that are under way when the other bank takes over still get their answers. */
const LINGER_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

type Options = {
  listsDir: string
  stateDir: string
  stubs: readonly Stub[]
  /** Sends the customers' questions to this bank. */
  useBank: (bank: Bank) => Promise<void>
  log: Logger
}

const other = (bank: Bank): Bank => (bank === 0 ? 1 : 0)

/**
 * One unbound at work. New lists mean a new one on the other bank of addresses: unbound answers nobody while it
 * reads a list (seven seconds for 500,000 names), so the old one goes on answering until the new one is ready.
 */
export const createResolver = ({ listsDir, stateDir, stubs, useBank, log }: Options) => {
  const dir = join(stateDir, 'resolver')
  const zonesDir = join(dir, 'zones')
  const lists = createFilterLists(listsDir, zonesDir, log)
  const takeTurn = createTurns()
  let turns = 0
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    turns++
    return takeTurn(work).finally(() => turns--)
  }
  let current: ResolverProcess | undefined
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted
  let isRestarting = false
  /** Stays true until a resolver has them. */
  let hasNewLists = false
  let stopWatching: (() => void) | undefined

  const endLeftBehind = async (bank: Bank): Promise<void> => {
    const pid = await leftBehind(dir, bank)
    if (pid === undefined) return
    process.kill(pid, 'SIGTERM')
    for (let i = 0; i < 60 && (await leftBehind(dir, bank)) !== undefined; i++) await setTimeout(50)
  }

  const startOn = async (bank: Bank): Promise<void> => {
    await endLeftBehind(bank)
    const started = await startResolver(dir, zonesDir, bank, stubs, isStopped)
    started.child.once('exit', () => restartIfCurrent(started))
    const old = current
    current = started
    try {
      await useBank(bank)
    } catch (error) {
      // The one before is asked on.
      current = old
      await endResolver(started)
      throw error
    }
    if (old) {
      await setTimeout(LINGER_MS)
      await endResolver(old)
    } else await endLeftBehind(other(bank))
  }

  /** Goes on until there is one. */
  const restart = async (): Promise<void> => {
    if (isRestarting) return
    isRestarting = true
    const pauses = createPauses(LONGEST_PAUSE_MS)
    while (!isStopped()) {
      try {
        await ensure()
        break
      } catch (error) {
        if (isStopped()) break
        log.error(`The resolver could not be started: ${(error as Error).message}`)
        await pause(pauses.next(), stopping.signal)
      }
    }
    isRestarting = false
  }

  const restartIfCurrent = (ended: ResolverProcess): void => {
    if (isStopped() || current !== ended) return
    log.error('The resolver has ended by itself and is started again')
    void restart()
  }

  /** The bank that a resolver works on, perhaps one that an agent before this one left behind. */
  const busyBank = async (): Promise<Bank> =>
    current?.bank ?? ((await leftBehind(dir, 1)) === undefined ? 0 : 1)

  /** Starts it unless it runs; answers whether it was dead. */
  const ensure = (): Promise<boolean> =>
    inTurn(async () => {
      if (isStopped() || (current && isAlive(current) && (await isReady(current.config)))) return false
      await lists.update()
      // One that is left behind answers until this one does.
      const bank = current?.bank ?? ((await leftBehind(dir, 0)) === undefined ? 0 : 1)
      const dead = current
      current = undefined
      if (dead) await endResolver(dead)
      await startOn(bank)
      hasNewLists = false
      if (!isStopped()) stopWatching ??= watchLists(listsDir, lists.signature, reload, log)
      return true
    })

  const reload = (): Promise<void> =>
    inTurn(async () => {
      // Nothing is written any more once it is stopped: the folder may be gone.
      if (isStopped()) return
      if (await lists.update()) hasNewLists = true
      if (!hasNewLists || !current) return
      await startOn(other(current.bank))
      hasNewLists = false
      log.info('The resolver works with the new filter lists')
    })

  const stop = async (): Promise<void> => {
    stopping.abort()
    stopWatching?.()
    await inTurn(async () => current && endResolver(current))
  }
  return {
    start: (): void => void restart(),
    /** Starts it again if it is dead, unless that is being done. Answers whether it was. */
    heal: async (): Promise<boolean> => !isRestarting && turns === 0 && (await ensure()),
    isServing: () => current !== undefined && isAlive(current),
    busyBank,
    stop,
  }
}
