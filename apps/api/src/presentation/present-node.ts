import { poolSize } from '@hedgerow/domain/addresses'
import { WIREGUARD_GO_PEERS } from '@hedgerow/domain/nodes'
import type { NodeFacts } from '#nodes/nodes.service.ts'
import { freeOf, stateOf } from '#nodes/nodes.service.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** Changes that its agent has not said it has made. */
export const lagOf = ({ revision, applied_revision, unnumbered }: NodeFacts): number =>
  Math.max(0, Number(revision) - Number(applied_revision)) + Number(unnumbered)

export const freeNow = (row: NodeFacts): number => freeOf(row, Number(row.peers))

/** For programs. Times are ISO 8601. */
export const presentNode = (row: NodeFacts) => ({
  id: row.id,
  name: row.name,
  endpoint: row.endpoint,
  exits: row.exit_addresses,
  ipv4: row.ipv4,
  ipv6: row.ipv6,
  layer: row.layer_id === null ? null : { id: row.layer_id, name: row.layer_name },
  timeZone: row.time_zone,
  state: stateOf(row),
  isOpen: row.is_open,
  isDemonstration: row.is_demonstration,
  peers: Number(row.peers),
  addresses: { size: poolSize(row), free: freeNow(row), resting: Number(row.resting) },
  revision: { told: Number(row.revision), applied: Number(row.applied_revision), lag: lagOf(row) },
  seenAt: iso(row.seen_at),
  /** Names in each block list; null: its agent has not said. */
  lists: row.list_names,
  tokenExpiresAt: row.has_agent ? null : iso(row.enrolment_expires_at),
  createdAt: row.created_at.toISOString(),
})

/** What is typed on a server to make it the node: where the agent's archive is unpacked, or from a checkout. */
export const enrolmentLines = (publicUrl: string, token: string): { install: string; start: string } => ({
  install: `AGENT_TOKEN=${token} ./install-agent.sh ${publicUrl}`,
  start: `AGENT_API_URL=${publicUrl} AGENT_TOKEN=${token} npm run agent`,
})

/** Said where the pool is larger than one kind of server can hold. */
export const poolWarning = (pool: Parameters<typeof poolSize>[0]): string | null =>
  poolSize(pool) > WIREGUARD_GO_PEERS
    ? `The pool has room for ${poolSize(pool)} connections, but wireguard-go takes ${WIREGUARD_GO_PEERS} at most. Use a kernel with WireGuard on that server.`
    : null
