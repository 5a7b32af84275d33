import { cpus } from 'node:os'
import type { AgentMinute } from '@hedgerow/contract/agents'
import { MINUTE_LIMITS, MINUTE_TAKEN_HOURS } from '@hedgerow/domain/node-history'
import type { PeerReading } from '#device/driver.ts'
import { type Bytes, NONE, since } from '#report/usage.ts'

/** WireGuard's session is over so long after its handshake. */
const SESSION_MS = 180_000
const MINUTE_MS = 60_000
/** The shop takes no older ones. */
const KEPT_AT_MOST = MINUTE_TAKEN_HOURS * 60

/** Milliseconds of all processors, since the server was started. */
export type ProcessorTimes = { idle: number; all: number }

const readProcessors = (): ProcessorTimes =>
  cpus().reduce(
    ({ idle, all }, { times }) => ({
      idle: idle + times.idle,
      all: all + times.user + times.nice + times.sys + times.irq + times.idle,
    }),
    { idle: 0, all: 0 },
  )

type Running = AgentMinute & { isWhole: boolean; processors: ProcessorTimes }

type Options = {
  /** Undefined: a peer of the agent's own, or of the shop. */
  idOfKey: (key: string) => string | undefined
  /** Lines of the log that told of an error, since the start. */
  errorCount: () => number
  processors?: () => ProcessorTimes
}

/**
 * How the node fares by the minute, all peers together: no one's sums are kept. A minute that was not seen from its beginning
 * is left out.
 */
export const createMinutes = ({ idOfKey, errorCount, processors = readProcessors }: Options) => {
  let counters: ReadonlyMap<string, Bytes> | undefined
  let running: Running | undefined
  let errorsBefore = errorCount()
  let waiting: AgentMinute[] = []

  const close = ({ isWhole, processors: before, ...minute }: Running): void => {
    const { idle, all } = processors()
    const share = all > before.all ? 1 - (idle - before.idle) / (all - before.all) : 0
    const errors = errorCount()
    if (isWhole)
      waiting.push({
        ...minute,
        received: Math.min(minute.received, MINUTE_LIMITS.bytes),
        sent: Math.min(minute.sent, MINUTE_LIMITS.bytes),
        processor: Math.round(100 * Math.min(1, Math.max(0, share))),
        errors: Math.min(errors - errorsBefore, MINUTE_LIMITS.errors),
      })
    errorsBefore = errors
    waiting = waiting.slice(-KEPT_AT_MOST)
  }
  const begin = (minute: number): Running => {
    // It goes on from the minute before: where none was looked at, something was missed.
    const isWhole = running?.minute === minute - 1
    return {
      minute,
      peers: 0,
      received: 0,
      sent: 0,
      processor: 0,
      errors: 0,
      isWhole,
      processors: processors(),
    }
  }

  return {
    /** `now` is of the server's clock, as handshakes are; `shopNow` is the shop's time. */
    note: (peers: ReadonlyMap<string, PeerReading>, now: number, shopNow = now): void => {
      const minute = Math.floor(shopNow / MINUTE_MS)
      if (running?.minute !== minute) {
        if (running) close(running)
        running = begin(minute)
      }
      let connected = 0
      const read = new Map<string, Bytes>()
      for (const [key, { handshakeS, received, sent }] of peers) {
        if (idOfKey(key) === undefined) continue
        const bytes = { received, sent }
        read.set(key, bytes)
        const more = since(bytes, counters ? (counters.get(key) ?? NONE) : bytes)
        running.received += more.received
        running.sent += more.sent
        if (handshakeS > 0 && now - handshakeS * 1000 < SESSION_MS) connected++
      }
      running.peers = Math.max(running.peers, connected)
      counters = read
    },
    /** Hands on those that are over, and forgets them. */
    take: (): AgentMinute[] => {
      const taken = waiting
      waiting = []
      return taken
    },
  }
}
