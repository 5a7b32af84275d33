import { isDeepStrictEqual } from 'node:util'
import type { AgentPeer } from '@hedgerow/contract/agents'
import { isToBeRemoved } from '#reconcile/expiry.ts'

type Peers = ReadonlyMap<string, AgentPeer>

/** Peers as they are to be from now on, and ids of those that go. */
export type PeerChange = { set: readonly AgentPeer[]; gone: readonly string[] }

/** What of a change is one: not what is so already, and not what is over already. */
export const planChange = ({ set, gone }: PeerChange, peers: Peers, now: number): PeerChange => {
  const late = set.filter((peer) => isToBeRemoved(peer, now)).map(({ id }) => id)
  return {
    set: set.filter((peer) => !isToBeRemoved(peer, now) && !isDeepStrictEqual(peer, peers.get(peer.id))),
    gone: [...gone, ...late].filter((id) => peers.has(id)),
  }
}

/** How many peers more there are after it than before. */
export const growthOf = ({ set, gone }: PeerChange, peers: Peers): number =>
  set.filter(({ id }) => !peers.has(id)).length - gone.length

/**
 * Keys and addresses that have no holder after a change. `holderOf` says who was given an address, or a key, last: whoever
 * had it before may leave later, as another change, and must not take it along.
 */
export const planRemoval = (
  { set, gone }: PeerChange,
  peers: Peers,
  holderOf: {
    address: (ipv4: string) => string | undefined
    key: (publicKey: string) => string | undefined
  },
) => {
  const before = [...gone, ...set.map(({ id }) => id)].flatMap((id) => peers.get(id) ?? [])
  const keys = new Set(set.map(({ publicKey }) => publicKey))
  const addresses = new Set(set.map(({ ipv4 }) => ipv4))
  return {
    keys: before
      .filter(({ id, publicKey }) => !keys.has(publicKey) && holderOf.key(publicKey) === id)
      .map(({ publicKey }) => publicKey),
    addresses: before
      .filter(({ id, ipv4 }) => !addresses.has(ipv4) && holderOf.address(ipv4) === id)
      .map(({ ipv4, ipv6 }) => ({ ipv4, ipv6 })),
  }
}
