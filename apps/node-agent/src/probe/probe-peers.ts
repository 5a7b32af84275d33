import type { AgentPeer } from '@hedgerow/contract/agents'
import { FILTERS } from '@hedgerow/domain/filters'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'

/** A peer of the agent's own, and the key that is its customer's end. */
export type ProbePeer = { peer: AgentPeer; privateKey: string }

/** In the networks PROBE_IPV4 and PROBE_IPV6. */
const aProbePeer = (number: 1 | 2, expiresAt: string | null): ProbePeer => {
  const { privateKey, publicKey } = generateKeyPair()
  const peer: AgentPeer = {
    id: `probe-${number}`,
    publicKey,
    presharedKey: generatePresharedKey(),
    ipv4: `198.18.2.${number}`,
    ipv6: `fd68:6564:6766::${number}`,
    filters: FILTERS.reduce((bits, { filter }) => bits | filter.bit, 0),
    hasPriority: false,
    expiresAt,
    removeAt: null,
    isAwaited: false,
  }
  return { peer, privateKey }
}

/** Two customers that no one is: one with every filter, and one whose time is over. Their keys live as long as the agent. */
export const createProbePeers = () => ({
  current: aProbePeer(1, null),
  expired: aProbePeer(2, new Date(0).toISOString()),
})
export type ProbePeers = ReturnType<typeof createProbePeers>
