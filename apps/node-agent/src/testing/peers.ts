import type { AgentPeer } from '@hedgerow/contract/agents'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'

export type CustomerPeer = { peer: AgentPeer; privateKey: string }

/** A connection's peer at a position of the pool 10.64.0.0/16. */
export const aPeer = (position: number, but: Partial<AgentPeer> = {}): CustomerPeer => {
  const { privateKey, publicKey } = generateKeyPair()
  const peer = {
    id: crypto.randomUUID(),
    publicKey,
    presharedKey: generatePresharedKey(),
    ipv4: `10.64.${position >> 8}.${position & 255}`,
    ipv6: `fd64:6865:6467::${position.toString(16)}`,
    filters: 0,
    hasPriority: false,
    expiresAt: null,
    removeAt: null,
    isAwaited: false,
    ...but,
  }
  return { peer, privateKey }
}

export const manyPeers = (count: number): AgentPeer[] =>
  Array.from({ length: count }, (_, i) => ({
    ...aPeer(i + 1000).peer,
    publicKey: generatePresharedKey(),
  }))
