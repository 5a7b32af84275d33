/** What the firewall, the resolver and the shaper know of a peer. */
export type PeerPolicy = {
  ipv4: string
  ipv6: string
  filters: number
  hasPriority: boolean
  expiresAt: Date | null
}

export type Network = {
  /**
   * Makes rules, resolver, shaper and page as they must be, whatever was there. Called at the start and when something
   * is missing. All peers' policies are given, so that nothing is open or closed in between. It fails only if customers
   * would be unprotected or reach nothing; without shaper or page they are served, and `faults` says so.
   */
  ensure: (policies: readonly PeerPolicy[]) => Promise<void>
  /** Sets these peers' policies, and takes those addresses away; one batch, all or nothing. Connections of addresses that may nothing any more are forgotten soon after. */
  apply: (set: readonly PeerPolicy[], gone: readonly Pick<PeerPolicy, 'ipv4' | 'ipv6'>[]) => Promise<void>
  /** Whether the rules are those that were loaded; a cheap look. */
  areRulesIntact: () => Promise<boolean>
  /** Takes over which interfaces lead to the internet now, and which networks are beside the node, which are kept from customers. */
  followSurroundings: () => Promise<void>
  /** What does not work at the moment, each in a sentence. */
  faults: () => string[]
  /** Tries again what failed; fails if it fails again. */
  retryFailed: () => Promise<void>
  /** Compares with what the kernel holds; returns what was healed, in words, empty if all was well. */
  heal: (policies: readonly PeerPolicy[]) => Promise<string[]>
  /** Ends what it started (resolver, page) and leaves the rules: a stopped agent must not open anything. */
  stop: () => Promise<void>
}
