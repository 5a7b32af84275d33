import {
  type AgentChanges,
  type AgentNode,
  type AgentPeer,
  type AgentReport,
  type AgentUpgrade,
  CHANGES_AT_ONCE,
} from '@hedgerow/contract/agents'
import { networkOf } from '@hedgerow/domain/networks'
import { presentAgentNode, presentPeer } from '#network/agents/agents.present.ts'
import {
  type AgentNodeRow,
  type ChangedPeer,
  enrol,
  findNodeOfAgent,
  findNodeOfToken,
  listChanged,
  listReplacedBy,
  lockPublicKey,
  noteAgent,
  noteUsedTwice,
  numberChanges,
  takeReport,
} from '#network/agents/agents.queries.ts'
import type { NodeDependencies } from '#network/agents/node-signal.ts'
import { LOOK_EVERY_MS } from '#network/agents/node-signal.ts'
import { offerFor } from '#network/agents/upgrades.service.ts'
import { announceNewFiles, forgetConnected } from '#network/connections/new-files.ts'
import { markTakenOver, waitsForKey } from '#network/imports/imports.queries.ts'
import { takeMinutes } from '#network/nodes/node-history.queries.ts'
import { removeReplaced } from '#network/nodes/peers.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

export { isOfNode } from '#network/agents/agents.queries.ts'

export const findAgent = ({ db }: With<'db'>, secret: string) => findNodeOfAgent(db, hashToken(secret))

type Enrolment = { token: string; publicKey: string; secret: string }

/** A server that was set up again has another key: what customers have of the former one is dead. */
const takeOver = (
  { db }: With<'db'>,
  nodeId: string,
  enrolmentHash: Buffer,
  agent: { publicKey: string; agentHash: Buffer },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const former = await lockPublicKey(trx, nodeId)
    if (former !== agent.publicKey && (await waitsForKey(trx, nodeId))) throw new Problem('key-not-brought')
    if (!(await enrol(trx, nodeId, enrolmentHash, agent))) return false
    if (former !== null && former !== agent.publicKey) {
      await forgetConnected(trx, nodeId)
      await announceNewFiles(trx, nodeId, 'key')
    }
    await markTakenOver(trx, nodeId)
    return true
  })

/**
 * Makes a server the node that its token is for. An agent that did not hear the answer asks again and gets the same;
 * another agent with the same token does not. Throws 'token-refused', 'token-used', 'key-not-brought' and
 * 'agent-known'.
 */
export const enrolAgent = async (
  { db, settings, keyedHash }: With<'db' | 'settings' | 'keyedHash'>,
  { token, publicKey, secret }: Enrolment,
): Promise<AgentNode> => {
  const [enrolmentHash, agentHash] = [hashToken(token), hashToken(secret)]
  const node = await findNodeOfToken(db, enrolmentHash)
  if (!node) throw new Problem('token-refused')
  const isSame = (one: AgentNodeRow | undefined) =>
    one?.public_key === publicKey && one.agent_hash?.equals(agentHash)
  if (!isSame(node) && (await findNodeOfAgent(db, agentHash))) throw new Problem('agent-known')
  if (!isSame(node) && !(await takeOver({ db }, node.id, enrolmentHash, { publicKey, agentHash }))) {
    if (!isSame(await findNodeOfToken(db, enrolmentHash))) throw new Problem('token-used')
  }
  return presentAgentNode(node, { settings, keyedHash })
}

type Deps = With<'db' | 'settings' | 'keyCipher' | 'keyedHash' | 'log'> & NodeDependencies

/** One whose key does not open must not keep all others from their node. */
const presentReadable = (
  { keyCipher, log }: Pick<Deps, 'keyCipher' | 'log'>,
  row: AgentNodeRow,
  peer: ChangedPeer,
): AgentPeer[] => {
  try {
    return [presentPeer(row, peer, keyCipher)]
  } catch {
    log.error(
      { peerId: peer.id, nodeId: row.id },
      'the keys of a peer cannot be decrypted, so it is not sent to its node',
    )
    return []
  }
}

const readChanges = async (deps: Deps, row: AgentNodeRow, since: number): Promise<AgentChanges> => {
  const { db, settings, nodeSignal } = deps
  const count = nodeSignal.changeCount(row.id)
  const node = presentAgentNode(row, deps)
  const nothing = { node, hasMore: false, isForgotten: false, peers: [], gone: [] }
  const numbering = await numberChanges(db, row.id, since)
  if (numbering === 'agent-is-ahead') return { ...nothing, revision: since, isForgotten: true }
  const limit = CHANGES_AT_ONCE + 1
  const { revision, horizon, peers } = await listChanged(db, row.id, since, settings.expiredGraceDays, limit)
  // Said, but the list is given all the same: one that begins anew passes through such revisions on its way.
  const isForgotten = since > 0 && since < horizon
  const listed = peers.slice(0, CHANGES_AT_ONCE)
  const hasMore = peers.length > listed.length
  if (listed.length === 0) {
    if (numbering === 'all-numbered') nodeSignal.remember(row.id, count, revision)
    return { ...nothing, isForgotten, revision }
  }
  return {
    ...nothing,
    isForgotten,
    hasMore,
    // At the end of the list all that was numbered is sent: one that begins anew must not stop before the horizon.
    revision: Math.max(Number(listed.at(-1)?.revision), hasMore ? 0 : revision),
    peers: listed.filter(({ is_gone }) => !is_gone).flatMap((peer) => presentReadable(deps, row, peer)),
    gone: listed
      .filter(({ is_gone }) => is_gone)
      .map(({ id, public_key }) => ({ id, publicKey: public_key })),
  }
}

/** While an agent waits, its node may be removed or set up anew. Throws 'not-an-agent'. */
const requireAgent = async ({ db }: With<'db'>, { agent_hash }: AgentNodeRow): Promise<AgentNodeRow> => {
  const node = await findNodeOfAgent(db, agent_hash)
  if (!node) throw new Problem('not-an-agent')
  return node
}

const hasChanges = ({ peers, gone, isForgotten }: AgentChanges) =>
  isForgotten || peers.length > 0 || gone.length > 0

/** What an agent asks, and says of itself. */
export type Question = {
  since: number
  /** Seconds. */
  wait: number
  version?: string | undefined
  arch?: string | undefined
  upgrades?: 'on' | 'off' | undefined
  /** The upgrade that it knows of. */
  upgrade?: string | undefined
  /** Names in each of its lists. */
  lists?: string | undefined
  /** When each that it fetches was last as its source has it. */
  listTimes?: string | undefined
  /** What does not work, one sentence a line. */
  faults?: string | undefined
  /** Of the shop's own peer there. */
  shopKey?: string | undefined
  /** Whether packets of any customer have arrived within the last moments. */
  customers?: 'yes' | 'no' | undefined
  /** The versions of parameters with which it can set up an obfuscated node. */
  obfuscation?: string | undefined
}

const PLAIN_AGENT =
  'This is an obfuscated node, and its agent is too old for that: it speaks plain WireGuard, which no customer’s device understands there. Bring the agent up to date.'

/** What an agent says does not work. One from before obfuscation takes its node for a plain one, and finds nothing amiss. */
const faultsSaid = (
  { obfuscation }: AgentNodeRow,
  { faults, obfuscation: known = '' }: Question,
): string | undefined =>
  obfuscation && !known.split(',').includes(String(obfuscation.version)) ? PLAIN_AGENT : faults

/** Looks only when something was signalled: an offer is. */
const createOfferLook = ({ db }: With<'db'>, nodeId: string, known: string | undefined) => {
  let lookedAt: number | undefined
  let upgrade: AgentUpgrade | undefined
  return async (count: number): Promise<AgentUpgrade | undefined> => {
    if (count !== lookedAt) upgrade = await offerFor(db, nodeId, known)
    lookedAt = count
    return upgrade
  }
}

/**
 * What has changed on a node after a revision, and what it is to install; waits so many seconds for something. `address` is
 * where its agent asks from.
 */
export const agentChanges = async (
  deps: Deps,
  row: AgentNodeRow,
  question: Question,
  address: string,
): Promise<AgentChanges> => {
  const { db, nodeSignal } = deps
  const { since, wait, upgrade: known } = question
  await noteAgent(db, row.id, { ...question, faults: faultsSaid(row, question) }, networkOf(address))
  const findUpgrade = createOfferLook(deps, row.id, known)
  const nothing = {
    node: presentAgentNode(row, deps),
    revision: since,
    hasMore: false,
    isForgotten: false,
    peers: [],
    gone: [],
  }
  const until = Date.now() + wait * 1000
  for (;;) {
    const count = nodeSignal.changeCount(row.id)
    const upgrade = await findUpgrade(count)
    const isQuiet = nodeSignal.isQuiet(row.id, since)
    const answer = isQuiet ? undefined : await readChanges(deps, await requireAgent(deps, row), since)
    const left = until - Date.now()
    const isOver = left <= 0 || nodeSignal.isStopped() || upgrade !== undefined
    if (isOver || (answer && hasChanges(answer)))
      return { ...(answer ?? nothing), ...(upgrade && { upgrade }) }
    // A transaction that holds a peer that is to be numbered may end without a notification.
    const isKnown = nodeSignal.isQuiet(row.id, since)
    await nodeSignal.wait(row.id, count, isKnown ? left : Math.min(left, LOOK_EVERY_MS))
  }
}

/** Takes in who was connected, and how the node fared. Peers that were replaced go, now that their replacements are used. */
export const takeAgentReport = async (
  { db }: With<'db'>,
  nodeId: string,
  { number, connected, usage, usedTwice, minutes }: AgentReport,
): Promise<void> => {
  await takeReport(db, nodeId, number, connected, usage)
  if (usedTwice.length > 0) await noteUsedTwice(db, nodeId, usedTwice)
  if (minutes.length > 0) await takeMinutes(db, nodeId, minutes)
  // Also after a report that came before: the process that took it in may have died right then.
  const replaced = await listReplacedBy(db, connected)
  if (replaced.length > 0) await removeReplaced(db, replaced)
}
