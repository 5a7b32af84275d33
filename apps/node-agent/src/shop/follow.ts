import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import type { Keeper } from '../keeper.ts'
import type { Log } from '../log.ts'
import type { Pace } from '../pace.ts'
import { createPauses, jittered, pause } from '../pauses.ts'
import type { DesiredState } from '../state/desired-state.ts'
import { BadAnswer, type Changes, type ShopClient, ShopRefusal } from './shop-client.ts'

/** A shop that answers at once that there is nothing new (it is stopping, perhaps) is not asked in a circle. */
const LEAST_WAIT_MS = 1_000

type Parts = {
  shop: ShopClient
  state: DesiredState
  keeper: Keeper
  pace: Pace
  log: Log
  signal: AbortSignal
  onHeard: () => void
}

/** Follows what the shop wants, for ever. No error ends it: a node cut off serves on with what it knows. */
export const follow = async ({ shop, state, keeper, pace, log, signal, onHeard }: Parts): Promise<void> => {
  const pauses = createPauses(pace.longestPauseMs)
  let mustResync = state.revision() === 0
  let resyncAt = performance.now() + jittered(pace.resyncMs)

  const ask = async (since: number, wait: number): Promise<Changes> => {
    const answer = await shop.changes(since, wait)
    if (answer.hasMore && answer.revision <= since)
      throw new BadAnswer('The shop says that there is more, and does not go on')
    onHeard()
    return answer
  }

  const hasOtherPools = ({ ipv4, ipv6 }: AgentNode): boolean => {
    const known = state.node()
    return known !== undefined && (known.ipv4 !== ipv4 || known.ipv6 !== ipv6)
  }

  /** Everything from the beginning, applied as a difference when all of it is there. What is not named is dropped. */
  const resync = async (): Promise<void> => {
    const named = new Map<string, AgentPeer>()
    /** They stay as they were known. */
    const senseless = new Set<string>()
    let answer = await ask(0, 0)
    for (;;) {
      for (const { id } of answer.gone) named.delete(id)
      for (const peer of answer.peers) named.set(peer.id, peer)
      for (const id of answer.senseless) senseless.add(id)
      if (!answer.hasMore) break
      answer = await ask(answer.revision, 0)
      // Revisions on the way are old ones, so that being forgotten means nothing here. That nothing comes does.
      if (answer.peers.length + answer.gone.length + answer.senseless.length === 0)
        throw new BadAnswer('The shop said that there was more, and then there was nothing')
    }
    const { node, revision } = answer
    const gone = [...state.peers.keys()].filter((id) => !named.has(id) && !senseless.has(id))
    await keeper.apply({ node, set: [...named.values()], gone, revision })
    mustResync = false
    resyncAt = performance.now() + jittered(pace.resyncMs)
  }

  const step = async (): Promise<void> => {
    if (mustResync || performance.now() >= resyncAt) return resync()
    const since = state.revision()
    const waitS = Math.min(pace.waitS, Math.max(1, Math.ceil((resyncAt - performance.now()) / 1000)))
    const askedAt = performance.now()
    const answer = await ask(since, waitS)
    if (answer.isForgotten) {
      log.warn('The shop no longer knows what this node last heard; it is asked for everything')
      mustResync = true
    } else if (answer.revision < since) {
      mustResync = true
      throw new BadAnswer(
        'The shop answered an older revision than was asked from; it is asked for everything',
      )
    } else if (hasOtherPools(answer.node)) {
      // Every peer has another address then, and not every one of them has changed.
      mustResync = true
    } else {
      const { node, peers, gone, revision } = answer
      await keeper.apply({ node, set: peers, gone: gone.map(({ id }) => id), revision })
      const hasChanges = revision > since || performance.now() - askedAt >= LEAST_WAIT_MS
      if (!hasChanges) await pause(LEAST_WAIT_MS, signal)
    }
  }

  while (!signal.aborted) {
    try {
      await step()
      pauses.reset()
    } catch (error) {
      if (signal.aborted) break
      const isUnknown = error instanceof ShopRefusal && error.status === 401
      if (isUnknown)
        log.error(
          'The shop does not know this node: it was removed, or enrolled anew elsewhere. It serves on with what it knows',
        )
      else log.warn(`The shop's wishes could not be followed: ${(error as Error).message}`)
      await pause(isUnknown ? jittered(pace.refusedMs) : pauses.next(), signal)
    }
  }
}
