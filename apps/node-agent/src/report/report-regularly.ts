import { type AgentReport, REPORTED_AT_ONCE } from '@hedgerow/contract/agents'
import type { Keeper } from '../keeper.ts'
import type { Log } from '../log.ts'
import type { Pace } from '../pace.ts'
import { createPauses, pause } from '../pauses.ts'
import { type ShopClient, ShopRefusal } from '../shop/shop-client.ts'
import type { DesiredState } from '../state/desired-state.ts'
import { createConnectedFinder } from './find-connected.ts'
import { createIdleFinder } from './find-idle.ts'
import { createUsage } from './usage.ts'

type Parts = {
  shop: ShopClient
  state: DesiredState
  keeper: Keeper
  pace: Pace
  isUsageReported: boolean
  log: Log
  signal: AbortSignal
}

/** Reading all peers may take a tenth of the time at most, however many there are. */
const SHARE_OF_TIME = 10

/** Reads who is connected, tells the shop what is new, and lets WireGuard forget where the idle were. */
export const reportRegularly = async (parts: Parts): Promise<void> => {
  const { shop, state, keeper, pace, isUsageReported, log, signal } = parts
  const connected = createConnectedFinder(state.idOfKey)
  const findIdle = createIdleFinder(pace.idleMs)
  const usage = createUsage()
  const pauses = createPauses(pace.longestPauseMs)
  /** These are times of a clock that nobody sets. */
  let usageAt = performance.now() + pace.usageMs
  /** Not accepted yet. Sent again as they are, since the shop counts a number once. */
  let waiting: AgentReport[] = []
  let sendAt = 0

  const gather = async (ids: string[]): Promise<void> => {
    // While the shop is away bytes add up where they are counted, and not in reports that wait.
    const isUsageDue = isUsageReported && performance.now() >= usageAt && waiting.length === 0
    if (isUsageDue) usageAt = performance.now() + pace.usageMs
    const bytes = [...(isUsageDue ? usage.take() : [])].flatMap(([key, { received, sent }]) => {
      const id = state.idOfKey(key)
      return id ? [{ id, received, sent }] : []
    })
    for (let i = 0; i < Math.max(ids.length, bytes.length); i += REPORTED_AT_ONCE) {
      const part = [i, i + REPORTED_AT_ONCE] as const
      const number = await state.nextReport()
      waiting.push({ number, connected: ids.slice(...part), usage: bytes.slice(...part) })
    }
    connected.tell(ids)
  }
  const send = async (): Promise<void> => {
    for (let first = waiting[0]; first && !signal.aborted; first = waiting[0]) {
      try {
        await shop.report(first)
      } catch (error) {
        // What the shop will never take is not offered for ever.
        if (!(error instanceof ShopRefusal && error.status === 422)) throw error
        log.error(`A report was not taken: ${error.message}`)
      }
      waiting = waiting.slice(1)
    }
  }
  const scan = async (): Promise<void> => {
    const reading = await keeper.read()
    if (!reading) return
    const now = Date.now()
    if (isUsageReported) usage.note(reading.peers)
    await gather(connected.find(reading.peers, now))
    const idle = findIdle(reading.peers, now)
    if (idle.length > 0) await keeper.forget(idle)
  }
  const isSomebodyAwaited = () => [...state.awaited].some((id) => !connected.isTold(id, Date.now()))

  let scanAt = 0
  for (; !signal.aborted; await pause(Math.min(pace.awaitedScanMs, pace.scanMs), signal)) {
    const now = performance.now()
    try {
      if (now >= scanAt || isSomebodyAwaited()) {
        scanAt = now + pace.scanMs
        await scan()
        const tookMs = performance.now() - now
        await pause(Math.max(0, SHARE_OF_TIME * tookMs - pace.awaitedScanMs), signal)
      }
      if (waiting.length > 0 && performance.now() >= sendAt) {
        await send()
        pauses.reset()
      }
    } catch (error) {
      if (signal.aborted) break
      sendAt = performance.now() + pauses.next()
      log.warn(`No report: ${(error as Error).message}`)
    }
  }
}
