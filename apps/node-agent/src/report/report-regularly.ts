import type { Reconciler } from '#reconcile/reconciler.ts'
import { createConnectedFinder } from '#report/find-connected.ts'
import type { Heard } from '#report/find-heard.ts'
import { createIdleFinder } from '#report/find-idle.ts'
import { createUsedTwiceFinder } from '#report/find-used-twice.ts'
import { createMinutes } from '#report/minutes.ts'
import { createOutbox } from '#report/outbox.ts'
import { createUsage } from '#report/usage.ts'
import { createBackoff, pause } from '#runtime/backoff.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Log } from '#runtime/log.ts'
import type { Timings } from '#runtime/timings.ts'
import type { ShopClient } from '#shop/shop-client.ts'
import type { DesiredState } from '#state/desired-state.ts'

type Parts = {
  shop: ShopClient
  state: DesiredState
  reconciler: Reconciler
  timings: Timings
  clock: Pick<Clock, 'now'>
  /** Lines of the log that told of an error. */
  errorCount: () => number
  isUsageReported: boolean
  heard: Heard
  /** Whether customers' packets arrive has changed. */
  onHeardChange: () => void
  log: Log
  signal: AbortSignal
}

/** Reading all peers may take a tenth of the time at most, however many there are. */
const SHARE_OF_TIME = 10

type Outbox = ReturnType<typeof createOutbox>

/** Reads who is connected, writes reports of what is new, and lets WireGuard forget where the idle were. */
const createScanner = (parts: Parts, outbox: Outbox) => {
  const { state, reconciler, timings, clock, errorCount, isUsageReported, heard } = parts
  const connected = createConnectedFinder(state.idOfKey)
  const findIdle = createIdleFinder(timings.idleMs)
  const findUsedTwice = createUsedTwiceFinder()
  let usedTwiceAt = 0
  const usage = createUsage()
  const minutes = createMinutes({ idOfKey: state.idOfKey, errorCount })
  /** Of a monotonic clock. */
  let usageAt = performance.now() + timings.usageMs

  const takeUsage = () => {
    // While the shop is away bytes add up where they are counted, and not in reports that wait.
    if (!isUsageReported || performance.now() < usageAt || !outbox.isEmpty()) return []
    usageAt = performance.now() + timings.usageMs
    return [...usage.take()].flatMap(([key, { received, sent }]) => {
      const id = state.idOfKey(key)
      return id ? [{ id, received, sent }] : []
    })
  }
  /** What waits while the shop is away would be said when it is no longer so. */
  const takeUsedTwice = (keys: readonly string[]): string[] => {
    if (keys.length === 0 || performance.now() < usedTwiceAt || !outbox.isEmpty()) return []
    usedTwiceAt = performance.now() + timings.usedTwiceMs
    return keys.flatMap((key) => state.idOfKey(key) ?? [])
  }
  return {
    isSomebodyAwaited: () => [...state.awaited].some((id) => !connected.isReported(id, Date.now())),
    scan: async (onTurn: () => void): Promise<void> => {
      const reading = await reconciler.read(onTurn)
      if (!reading) return
      const now = Date.now()
      if (isUsageReported) usage.note(reading.peers)
      heard.note(reading.peers, performance.now())
      const ids = connected.find(reading.peers, now)
      minutes.note(reading.peers, now, clock.now())
      const usedTwice = findUsedTwice(reading.peers, now)
      await outbox.add({
        connected: ids,
        usage: takeUsage(),
        usedTwice: takeUsedTwice(usedTwice),
        // While the shop is away they wait where they are, each by itself.
        minutes: outbox.isEmpty() ? minutes.take() : [],
      })
      connected.markReported(ids)
      const idle = findIdle(reading.peers, performance.now())
      if (idle.length > 0) await reconciler.forget(idle)
    },
  }
}

export const reportRegularly = async (parts: Parts): Promise<void> => {
  const { timings, heard, onHeardChange, log, signal } = parts
  const outbox = createOutbox(parts)
  const { scan, isSomebodyAwaited } = createScanner(parts, outbox)
  const backoff = createBackoff(timings.longestPauseMs)
  let scanAt = 0
  let sendAt = 0
  let wasHeard = false

  for (; !signal.aborted; await pause(Math.min(timings.awaitedScanMs, timings.scanMs), signal)) {
    const now = performance.now()
    try {
      if (now >= scanAt || isSomebodyAwaited()) {
        scanAt = now + timings.scanMs
        // Not from now on: while it waits for its turn it keeps nobody waiting.
        let from = now
        await scan(() => {
          from = performance.now()
        })
        const tookMs = performance.now() - from
        await pause(Math.max(0, SHARE_OF_TIME * tookMs - timings.awaitedScanMs), signal)
      }
      if (heard.is(performance.now()) !== wasHeard) {
        wasHeard = !wasHeard
        onHeardChange()
      }
      if (!outbox.isEmpty() && performance.now() >= sendAt) {
        await outbox.send()
        backoff.reset()
      }
    } catch (error) {
      if (signal.aborted) break
      sendAt = performance.now() + backoff.next()
      log.warn({ err: error }, 'The report could not be sent')
    }
  }
}
