import type { AgentNode, AgentPeer, AgentUpgrade } from '@hedgerow/contract/agents'
import type { Reconciler } from '#reconcile/reconciler.ts'
import { createBackoff, jittered, pause } from '#runtime/backoff.ts'
import type { Log } from '#runtime/log.ts'
import type { Timings } from '#runtime/timings.ts'
import { BadAnswer, type Changes, type ShopClient, ShopRefusal } from '#shop/shop-client.ts'
import type { DesiredState } from '#state/desired-state.ts'

/** A shop that answers at once that there is nothing new (it is stopping, perhaps) is not asked in a circle. */
const LEAST_WAIT_MS = 1_000

type Parts = {
  shop: ShopClient
  state: DesiredState
  reconciler: Reconciler
  timings: Timings
  log: Log
  signal: AbortSignal
  onContact: () => void
  onFailure: (error: Error) => void
  /** What is asked for has been applied. */
  onApplied: () => void
  /** What the agent says of itself. */
  about: () => Record<string, string>
  onUpgrade: (upgrade: AgentUpgrade) => void
  /** It asks for everything at first, however much it knows. */
  isAnew: boolean
}

type Follower = Parts & { mustResync: boolean; resyncAt: number }

const request = async (
  { shop, onContact, about, onUpgrade }: Parts,
  since: number,
  wait: number,
): Promise<Changes> => {
  const answer = await shop.changes(since, wait, about())
  if (answer.hasMore && answer.revision <= since)
    throw new BadAnswer('The shop said that there was more, but sent no further revision')
  onContact()
  if (answer.upgrade) onUpgrade(answer.upgrade)
  return answer
}

/** Everything from the beginning, applied as a difference when all of it is there. What is not named is dropped. */
const resync = async (follower: Follower): Promise<void> => {
  const { state, reconciler, timings } = follower
  const named = new Map<string, AgentPeer>()
  /** They stay as they were known. */
  const malformed = new Set<string>()
  let answer = await request(follower, 0, 0)
  for (;;) {
    for (const { id } of answer.gone) named.delete(id)
    for (const peer of answer.peers) named.set(peer.id, peer)
    for (const id of answer.malformed) malformed.add(id)
    if (!answer.hasMore) break
    answer = await request(follower, answer.revision, 0)
    // Revisions on the way are old ones, so that being forgotten means nothing here. That nothing comes does.
    if (answer.peers.length + answer.gone.length + answer.malformed.length === 0)
      throw new BadAnswer('The shop said that there was more, but then sent nothing')
  }
  const { node, revision } = answer
  const gone = [...state.peers.keys()].filter((id) => !named.has(id) && !malformed.has(id))
  await reconciler.apply({ node, set: [...named.values()], gone, revision })
  follower.mustResync = false
  follower.resyncAt = performance.now() + jittered(timings.resyncMs)
}

const hasOtherPools = (known: AgentNode | undefined, { ipv4, ipv6 }: AgentNode): boolean =>
  known !== undefined && (known.ipv4 !== ipv4 || known.ipv6 !== ipv6)

/** Asks once for what is new, waiting for it, and applies it. */
const poll = async (follower: Follower): Promise<void> => {
  const { state, reconciler, timings, log, signal } = follower
  const since = state.revision()
  const askedAt = performance.now()
  const waitS = Math.min(timings.waitS, Math.max(1, Math.ceil((follower.resyncAt - askedAt) / 1000)))
  const answer = await request(follower, since, waitS)
  if (answer.isForgotten) {
    log.warn('The shop no longer has the changes since this node last asked; everything is requested again')
    follower.mustResync = true
  } else if (answer.revision < since) {
    follower.mustResync = true
    throw new BadAnswer(
      'The shop answered with an older revision than the node has; everything is requested again',
    )
  } else if (hasOtherPools(state.node(), answer.node)) {
    // Every peer has another address then, and not every one of them has changed.
    follower.mustResync = true
  } else {
    const { node, peers, gone, revision } = answer
    await reconciler.apply({ node, set: peers, gone: gone.map(({ id }) => id), revision })
    const hasChanges =
      answer.upgrade !== undefined || revision > since || performance.now() - askedAt >= LEAST_WAIT_MS
    if (!hasChanges) await pause(LEAST_WAIT_MS, signal)
  }
}

/** Follows what the shop wants, for ever. No error ends it: a node cut off serves on with what it knows. */
export const follow = async (parts: Parts): Promise<void> => {
  const { state, timings, log, signal, isAnew, onApplied, onFailure } = parts
  const backoff = createBackoff(timings.longestPauseMs)
  const resyncAt = performance.now() + jittered(timings.resyncMs)
  const follower: Follower = { ...parts, mustResync: isAnew || state.revision() === 0, resyncAt }

  while (!signal.aborted) {
    try {
      const isDue = follower.mustResync || performance.now() >= follower.resyncAt
      await (isDue ? resync(follower) : poll(follower))
      onApplied()
      backoff.reset()
    } catch (error) {
      if (signal.aborted) break
      onFailure(error as Error)
      const isUnknown = error instanceof ShopRefusal && error.status === 401
      if (isUnknown)
        log.error(
          'The shop does not know this node: it was removed, or enrolled again elsewhere. It keeps serving the connections it knows',
        )
      else log.warn({ err: error }, 'Changes could not be fetched from the shop')
      await pause(isUnknown ? jittered(timings.refusedMs) : backoff.next(), signal)
    }
  }
}
