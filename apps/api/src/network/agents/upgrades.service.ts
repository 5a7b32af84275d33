import { randomUUID } from 'node:crypto'
import { type Architecture, isNewer, isVersion } from '@hedgerow/agent-release/release'
import type { AgentUpgrade, AgentUpgradeReport } from '@hedgerow/contract/agents'
import { newestFor } from '#network/agents/agent-archives.ts'
import {
  endOverdue,
  endUpgrade,
  findArchive,
  findNext,
  findOffer,
  insertUpgrades,
  isOneActive,
  listUpgradeRows,
  lockUpgrades,
  markOffered,
  noteReport,
  readPart,
  stopAfterFailure,
  stopUpgrades,
} from '#network/agents/upgrades.queries.ts'
import type { ListedNode } from '#network/nodes/node-facts.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db'>

/** Offers the next, if it is some node's turn: one node after another, so that customers never lose two places at once. */
const takeTurns = async (trx: Trx): Promise<void> => {
  await endOverdue(trx)
  await stopAfterFailure(trx)
  if (await isOneActive(trx)) return
  for (;;) {
    const next = await findNext(trx)
    if (!next) return
    if (next.version !== null && next.version === next.agent_version) {
      await endUpgrade(trx, next.id, 'done', 'it ran that version already')
    } else if (next.version !== null && next.archive_id === null) {
      await endUpgrade(trx, next.id, 'failed', 'its archive is no longer stored')
      await stopAfterFailure(trx)
    } else {
      await markOffered(trx, next.id, next.agent_version)
      return
    }
  }
}

/** To be called often, and whenever something has changed: what a crash left is taken up where it was. */
export const driveUpgrades = ({ db }: Deps): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockUpgrades(trx)
    await takeTurns(trx)
  })

/** What is asked for: a version, the newest that is stored, or the one that the agent ran before. */
export type Target = { version?: string | undefined } | 'back'

/** Why a node's agent cannot be brought there, in words that follow its name. Undefined: it can. */
const obstacle = (node: ListedNode, version: string | null, isStored: boolean): string | undefined => {
  const { agent_version: runs, takes_upgrades } = node
  if (!node.has_agent) return 'has no agent yet'
  if (runs === null) return 'has an agent that is too old to upgrade itself: run install-agent.sh there'
  if (!takes_upgrades)
    return 'refuses upgrades: it has no release key. Run install-agent.sh of a signed release there'
  if (version === null) return undefined
  if (!isStored) return `has no archive stored of ${version} for ${node.agent_arch}`
  if (isVersion(runs) && !isNewer(version, runs)) return `runs ${runs}, which is not older than ${version}`
  return undefined
}

const versionFor = async (deps: Deps, node: ListedNode, target: Target): Promise<string | null> => {
  if (target === 'back') return null
  return target.version ?? (await newestFor(deps, node.agent_arch ?? '')) ?? ''
}

export type Planned = { begun: string[]; left: { name: string; why: string }[] }

/** Plans the upgrades of nodes, one after the other in this order, and begins with the first. */
export const planUpgrades = async (
  deps: Deps,
  nodes: readonly ListedNode[],
  target: Target,
): Promise<Planned> => {
  const { db } = deps
  const left: Planned['left'] = []
  const runId = randomUUID()
  const rows: {
    id: string
    run_id: string
    place: number
    node_id: string
    version: string | null
    state: 'waiting'
  }[] = []
  for (const node of nodes) {
    const version = await versionFor(deps, node, target)
    const isStored =
      Boolean(version) && (await findArchive(db, version as string, node.agent_arch ?? '')) !== undefined
    const why =
      version === '' && node.takes_upgrades
        ? `has no archive stored for ${node.agent_arch}`
        : obstacle(node, version, isStored)
    if (why) left.push({ name: node.name, why })
    else
      rows.push({
        id: randomUUID(),
        run_id: runId,
        place: rows.length,
        node_id: node.id,
        version,
        state: 'waiting',
      })
  }
  const begun = await db.transaction().execute(async (trx) => {
    await lockUpgrades(trx)
    const inserted = rows.length > 0 ? await insertUpgrades(trx, rows) : []
    await takeTurns(trx)
    return inserted.map(({ node_id }) => node_id)
  })
  for (const { id, name } of nodes)
    if (rows.some(({ node_id }) => node_id === id) && !begun.includes(id))
      left.push({ name, why: 'has an upgrade under way already' })
  return { begun: nodes.filter(({ id }) => begun.includes(id)).map(({ name }) => name), left }
}

/** How many were ended before they were installed: all of them, or that of one node. */
export const stopOpenUpgrades = ({ db }: Deps, nodeId?: string): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await lockUpgrades(trx)
    const stopped = await stopUpgrades(trx, nodeId)
    await takeTurns(trx)
    return stopped.length
  })

export type ListedUpgrade = Awaited<ReturnType<typeof listUpgradeRows>>[number]

export const listUpgrades = ({ db }: Deps, limit: number): Promise<ListedUpgrade[]> =>
  listUpgradeRows(db, limit)

/** What an agent is to install, unless it knows. */
export const offerFor = async (
  db: Db,
  nodeId: string,
  known: string | undefined,
): Promise<AgentUpgrade | undefined> => {
  const offer = await findOffer(db, nodeId, known)
  if (!offer) return undefined
  const { id, version, arch, bytes, signature } = offer
  if (version === null) return { kind: 'back', id }
  if (arch === null || bytes === null || signature === null) return undefined
  return { kind: 'archive', id, version, arch: arch as Architecture, bytes, signature }
}

/** Throws 'not-found' where nothing of that kind is offered to the node, or no longer. */
export const archivePart = async (
  { db }: Deps,
  nodeId: string,
  upgradeId: string,
  part: number,
): Promise<Buffer> => {
  const content = await readPart(db, nodeId, upgradeId, part)
  if (!content) throw new Problem('not-found')
  return content
}

/**
 * Takes in how an upgrade goes; the next node follows as soon as it is done. Throws 'not-found' to an agent that would go on
 * with what was stopped.
 */
export const takeUpgradeReport = (
  { db }: Deps,
  nodeId: string,
  { upgrade, state, reason }: AgentUpgradeReport,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockUpgrades(trx)
    const plain = reason?.replace(/\p{C}/gu, ' ') ?? null
    const isTaken = await noteReport(trx, nodeId, upgrade, state, plain)
    if (!isTaken && (state === 'downloading' || state === 'installing')) throw new Problem('not-found')
    await takeTurns(trx)
  })
