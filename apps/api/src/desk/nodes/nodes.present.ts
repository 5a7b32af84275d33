import type { NodeStep } from '@hedgerow/contract/console/nodes'
import { poolSize } from '@hedgerow/domain/addresses'
import { isoOrNull } from '@hedgerow/domain/dates'
import { DAY_HOURS, lossOf } from '@hedgerow/domain/node-history'
import { isOpenUpgrade, type UpgradeState } from '@hedgerow/domain/node-upgrades'
import { WIREGUARD_GO_PEERS } from '@hedgerow/domain/nodes'
import type { ListedUpgrade } from '#network/agents/upgrades.service.ts'
import type { LastDay, nodeHistory } from '#network/nodes/node-history.service.ts'
import type { NodeFacts } from '#network/nodes/nodes.service.ts'
import { doubtOf, faultsOf, freeOf, oldLists, runsApart, stateOf } from '#network/nodes/nodes.service.ts'

/** Changes that its agent has not said it has made. */
const lagOf = ({ revision, applied_revision, unnumbered }: NodeFacts): number =>
  Math.max(0, Number(revision) - Number(applied_revision)) + Number(unnumbered)

const freeNow = (row: NodeFacts): number => freeOf(row, Number(row.peers))

const PROGRESS: Readonly<Partial<Record<UpgradeState, string>>> = {
  waiting: 'waits for its turn to get',
  offered: 'is offered',
  downloading: 'downloads',
  installing: 'tries',
  done: 'got',
  refused: 'refused',
  failed: 'did not get',
  stopped: 'was not given',
}

type Told = { version: string | null; state: UpgradeState; reason: string | null }

/** In a few words that follow a node's name. */
export const upgradeText = ({ version, state, reason }: Told): string =>
  `${PROGRESS[state]} ${version ?? 'its former version'}${reason ? `: ${reason}` : ''}`

/** For programs. */
export const presentUpgrade = (row: ListedUpgrade) => ({
  node: row.name,
  version: row.version,
  fromVersion: row.from_version,
  state: row.state,
  isOpen: isOpenUpgrade(row.state),
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  endedAt: isoOrNull(row.ended_at),
})

/** For programs. Times are ISO 8601. */
export const presentNode = (row: NodeFacts) => ({
  id: row.id,
  name: row.name,
  endpoint: row.endpoint,
  oldPorts: row.old_ports,
  secondPort: row.second_port === null ? null : { port: row.second_port, answers: row.second_port_answers },
  mtu: row.mtu,
  isObfuscated: row.is_obfuscated,
  exits: row.exit_addresses,
  ipv4: row.ipv4,
  ipv6: row.ipv6,
  layer: row.layer_id === null ? null : { id: row.layer_id, name: row.layer_name },
  timeZone: row.time_zone,
  state: stateOf(row),
  faults: faultsOf(row),
  fromOutside: doubtOf(row),
  isOpen: row.is_open,
  isDemonstration: row.is_demonstration,
  peers: Number(row.peers),
  connections: Number(row.connections),
  addresses: { size: poolSize(row), free: freeNow(row), resting: Number(row.resting) },
  revision: { told: Number(row.revision), applied: Number(row.applied_revision), lag: lagOf(row) },
  seenAt: isoOrNull(row.seen_at),
  agent: {
    version: row.agent_version,
    arch: row.agent_arch,
    takesUpgrades: row.takes_upgrades,
    isApart: runsApart(row),
  },
  upgrade: row.upgrade && { ...row.upgrade, at: new Date(row.upgrade.at).toISOString() },
  /** Names in each block list; null: its agent has not said. */
  lists: row.list_names,
  /** Of these, those that could not be replaced for weeks. */
  oldLists: oldLists(row),
  tokenExpiresAt: row.has_agent ? null : isoOrNull(row.enrolment_expires_at),
  createdAt: row.created_at.toISOString(),
})

const MB = 1_000_000

/** Its last 24 hours, where anything was reported. */
export const presentLastDay = (day: LastDay | undefined) => {
  const known = new Map(day?.peers.map(({ at, peers }) => [at, peers]))
  return {
    peersByHour: Array.from({ length: DAY_HOURS }, (_, at) => known.get(at) ?? null),
    lastDay:
      day && day.minutes > 0
        ? {
            peersMost: day.peers_most,
            receivedMB: Math.round(day.received / MB),
            sentMB: Math.round(day.sent / MB),
            processorMost: day.processor_most,
            loss: lossOf(day.lost, day.tries),
            errors: day.errors,
          }
        : null,
  }
}

export const presentStep = ({
  from,
  row,
  missed,
}: Awaited<ReturnType<typeof nodeHistory>>[number]): NodeStep => {
  const { minutes = 0 } = row ?? {}
  const said = row && minutes > 0 ? row : undefined
  const perSecond = (bytes: number) => Math.round(bytes / (minutes * 60))
  return {
    from: from.toISOString(),
    peers: said ? Math.round(said.peers / minutes) : null,
    received: said ? perSecond(said.received) : null,
    sent: said ? perSecond(said.sent) : null,
    processor: said?.processor_most ?? null,
    loss: row ? lossOf(row.lost, row.tries) : null,
    missed,
    errors: said?.errors ?? null,
    listsAge: said?.lists_age_hours ?? null,
  }
}

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
