import type { AgentPeer } from '@hedgerow/contract/agents'
import { createDeadlines } from '#reconcile/deadlines.ts'

type Times = Pick<AgentPeer, 'id' | 'expiresAt' | 'removeAt'>

/** Timers of this kind run by a clock of their own: looking again soon follows a clock that was set right. */
const LONGEST_TIMER_MS = 30_000
/** Deadlines of peers that have changed since stay until they are due; more of them than this are cleared away. */
const MANY_STALE = 10_000

const momentOf = (text: string | null) => (text === null ? Infinity : Date.parse(text))

export const isToBeRemoved = ({ removeAt }: Pick<AgentPeer, 'removeAt'>, now: number): boolean =>
  momentOf(removeAt) <= now

/** The next moment at which something happens to a peer. */
const nextMoment = ({ expiresAt, removeAt }: Times, now: number): number => {
  const expires = momentOf(expiresAt)
  return expires > now ? Math.min(expires, momentOf(removeAt)) : momentOf(removeAt)
}

export type Due = {
  /** Ids of those whose end has come; the kernel has shut their doors by itself. */
  expired: string[]
  removed: string[]
}

type Peers = ReadonlyMap<string, Times>

/** Deadlines of peers that have changed since are passed over. */
const takeDue = (deadlines: ReturnType<typeof createDeadlines>, peers: Peers, now: number) => {
  const expired: Times[] = []
  const removed = new Set<string>()
  for (let one = deadlines.takeDue(now); one; one = deadlines.takeDue(now)) {
    const peer = peers.get(one.id)
    if (!peer) continue
    if (isToBeRemoved(peer, now)) removed.add(peer.id)
    else if (momentOf(peer.expiresAt) === one.at) expired.push(peer)
  }
  return { expired, removed: [...removed] }
}

/** Wakes when the next connection ends or is to be removed, whether the shop can be reached or not. */
export const createExpiry = (peers: Peers, onDue: (due: Due) => Promise<void>, clock: () => number) => {
  let deadlines = createDeadlines()
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Infinity
  let isStopped = false

  const add = (peer: Times, now: number) => {
    const at = nextMoment(peer, now)
    if (at !== Infinity) deadlines.add({ at, id: peer.id })
  }
  const wake = () => {
    if (isStopped || deadlines.nextAt() >= wakesAt) return
    clearTimeout(timer)
    wakesAt = deadlines.nextAt()
    const ms = Math.min(Math.max(wakesAt - clock(), 0), LONGEST_TIMER_MS)
    timer = setTimeout(() => void look(), ms)
  }
  const look = async () => {
    const now = clock()
    const due = takeDue(deadlines, peers, now)
    for (const peer of due.expired) add(peer, now)
    const [expired, removed] = [due.expired.map(({ id }) => id), due.removed]
    if (expired.length > 0 || removed.length > 0) {
      await onDue({ expired, removed }).catch(() => {
        // It could not be done: again at the next look.
        for (const id of removed) deadlines.add({ at: now + 1_000, id })
      })
    }
    wakesAt = Infinity
    wake()
  }
  return {
    plan: (changed: Iterable<Times>): void => {
      const now = clock()
      for (const peer of changed) add(peer, now)
      if (deadlines.size() > 2 * peers.size + MANY_STALE) {
        deadlines = createDeadlines()
        for (const peer of peers.values()) add(peer, now)
      }
      wake()
    },
    stop: (): void => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
