import type { UpgradeState } from '@hedgerow/domain/node-upgrades'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** PostgreSQL gives 64-bit integers as text. */
type Bigint = ColumnType<string, number | undefined, number>

/** A VPN server. `ipv4` and `ipv6` are the networks that its connections' addresses come from. */
export type NodesTable = {
  id: string
  name: string
  /** Host and UDP port, as configurations name them. */
  endpoint: string
  /** Ports that it listened on before, and serves for files that name them. */
  old_ports: Generated<number[]>
  /** Another that it is to serve besides. Null: none. */
  second_port: number | null
  /** Whether the shop got an answer there when it last tried. */
  second_port_answers: Generated<boolean>
  /** Of its tunnel. Null: its agent derives it from the uplink. */
  mtu: number | null
  /** It speaks AmneziaWG with these, drawn when it was added. Null: WireGuard. */
  obfuscation: ColumnType<Obfuscation | null, string | null | undefined, never>
  /** When it got its present port. Null: it has never had another. */
  port_changed_at: Date | null
  /** Null until its agent has enrolled. */
  public_key: string | null
  ipv4: string
  ipv6: string
  /** False: drained, it takes no new customers. */
  is_open: Generated<boolean>
  /** Only for the plans of this layer. Null: for all that no other node is kept for. */
  layer_id: string | null
  /** Where it is, by the time zone database: 'Europe/London'. Null: its operator has not said. */
  time_zone: string | null
  /** Nothing answers there; it is only for trying the shop. */
  is_demonstration: Generated<boolean>
  /** Positions of the pool up to here were put on the free list. */
  filled_to: Generated<number>
  /** Of the token that makes a server this node. */
  enrolment_hash: Buffer | null
  enrolment_expires_at: Date | null
  /** Of the secret that the agent proves itself with. */
  agent_hash: Buffer | null
  /** When the agent last asked. */
  seen_at: Date | null
  /** Where the agent last asked from, of IPv4 and of IPv6: its customers come from there too. Empty once it is removed. */
  agent_networks: Generated<string[]>
  /** Further addresses that its customers come from, as the operator says. */
  exit_addresses: Generated<string[]>
  /** Names in each of its block lists, as its agent says. Null: it has not said. */
  list_names: Record<string, number> | null
  /** When each that it fetches was last as its source has it, in seconds since 1970. */
  list_times: Record<string, number> | null
  /** What its agent says does not work, one sentence a line; empty: all does. Null: it has not said. */
  faults: string | null
  /** Since when there has been something. */
  faults_since: Date | null
  /** The key of the shop's own peer that its agent says it has. Null: it is older than that. */
  shop_key: string | null
  /** Whether packets of any customer have arrived there within the last moments, as its agent says. */
  has_live_customers: Generated<boolean>
  /** Why the shop calls it unreachable from outside, in a sentence. Null: it is reached, or was not tried. */
  unreached: string | null
  unreached_since: Date | null
  /** That it is the node, and not the shop's own network: nothing is sold there. */
  is_surely_unreached: Generated<boolean>
  /** Of its endpoint's addresses, those where it has ever answered the shop. */
  answered_addresses: Generated<string[]>
  /** When the operator was mailed that it is down or failing; null while it is up. */
  down_notified_at: Date | null
  /** When the operator was mailed that its pool is nearly full. */
  low_notified_at: Date | null
  /** About how many peers it has. */
  load: Generated<number>
  /** The last number that a change of its peers got. */
  revision: Bigint
  /** The last that the agent said it has applied. */
  applied_revision: Bigint
  /** Peers that were removed with a number up to this are no longer remembered. */
  horizon: Bigint
  report_number: Bigint
  /** What its agent says of itself when it asks. Null: it is older than that. */
  agent_version: string | null
  agent_arch: string | null
  /** Whether its agent installs what it is offered. */
  takes_upgrades: boolean | null
  removed_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

/** Free positions in a node's pool; a position is the distance from the first address of its networks. */
export type FreeAddressesTable = {
  node_id: string
  position: number
  /** A position that was in use rests until then. */
  available_at: ColumnType<Date, Date | undefined, never>
}

/**
 * A customer's end of a tunnel: what a node is to keep. A connection has one current peer; another that it has replaced
 * lives on until the new one is first connected. One that is removed stays for a while, so that its node can hear of it.
 */
export type PeersTable = {
  id: string
  connection_id: string
  node_id: string
  position: number
  /** Of its IPv6 address, where a server that was taken over gave it another one. */
  ipv6_position: number | null
  public_key: string
  /**
   * Sealed for the peer's id. Null: the shop never had it, or the peer was replaced or its connection deleted, and it is not
   * needed any more.
   */
  private_key_encrypted: Buffer | null
  /** Its customer made the key, and has told the public half alone. */
  has_own_key: ColumnType<boolean, boolean | undefined, never>
  preshared_key_encrypted: Buffer
  /** Null: changed since the node last heard. */
  revision: ColumnType<string | null, number | null | undefined, number | null>
  /** The last day (UTC) on which it was connected. No time of day is kept. */
  connected_on: Date | null
  /** The first such day of its connection, also by keys that it had before. */
  first_connected_on: Date | null
  /** Only where the operator turned usage on. */
  bytes_received: Bigint
  bytes_sent: Bigint
  replaced_at: Date | null
  /** Replaced by a renewal: it lives until the new one is connected, however long that takes. */
  is_kept: Generated<boolean>
  removed_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

/** Peers that two devices seem to use at once. */
export type PeersUsedTwiceTable = { peer_id: string; seen_at: ColumnType<Date, never, never> }

/** One row: the watch that the shop keeps over its nodes. */
export type NodeWatchTable = {
  is_only: Generated<boolean>
  /** The shop has looked since then without a break: while it did not run, no agent could ask it. */
  watched_since: Date
  looked_at: Date
  /** The last minute that was added to the days of the nodes. */
  recorded_minute: Date | null
  /** The time that the last handshake with a node bore: none may be older. */
  handshakes_at: Date | null
  /** When the operator was mailed that an order waits for room. */
  waiting_notified_at: Date | null
}

/** A version of the agent that nodes are offered, as it was signed. */
export type AgentArchivesTable = {
  id: string
  version: string
  arch: string
  bytes: number
  signature: string
  stored_at: ColumnType<Date, Date | undefined, never>
}

export type AgentArchivePartsTable = {
  archive_id: string
  position: number
  content: Buffer
}

/** What becomes of the agent of one node. Those of one command have one run, and take their turns by place. */
export type NodeUpgradesTable = {
  id: string
  run_id: string
  place: number
  node_id: string
  /** Null: back to the version that it ran before, which the agent has kept. */
  version: string | null
  from_version: string | null
  state: UpgradeState
  /** Why it did not come about, for operators. */
  reason: string | null
  created_at: ColumnType<Date, Date | undefined, never>
  /** When it was offered, or its agent last asked for a part of it or reported it. */
  heard_at: Generated<Date>
  ended_at: Date | null
}

/** Connections of another panel's server that a node takes over, with its key. */
export type ImportsTable = {
  id: Generated<string>
  node_id: string
  /** When an agent with the server's key became the node. */
  taken_over_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

export type NodesTables = {
  imports: ImportsTable
  agent_archives: AgentArchivesTable
  agent_archive_parts: AgentArchivePartsTable
  node_upgrades: NodeUpgradesTable
  node_watch: NodeWatchTable
  nodes: NodesTable
  free_addresses: FreeAddressesTable
  peers_used_twice: PeersUsedTwiceTable
  peers: PeersTable
}

export type NodeRow = Selectable<NodesTable>
