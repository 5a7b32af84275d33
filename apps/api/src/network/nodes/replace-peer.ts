import { randomUUID } from 'node:crypto'
import { poolSize } from '@hedgerow/domain/addresses'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { LEAST_FREE_PART } from '@hedgerow/domain/nodes'
import { labelsOf } from '@hedgerow/domain/pricing'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import { findLacked } from '#network/nodes/capacity.queries.ts'
import { findNodeWithCapacity, hasCapacity } from '#network/nodes/find-capacity.ts'
import {
  endRenewals,
  findNodeToRenewOn,
  isDue,
  noteRenewed,
  planRenewal,
} from '#network/nodes/key-renewal.queries.ts'
import { removeReplaced } from '#network/nodes/peers.ts'
import {
  findNodeToMoveTo,
  insertReplacement,
  isKeyTaken,
  keepAddress,
  listReplaced,
  listUnusedReplacements,
  lockCurrentPeer,
  markReplaced,
  takeAddress,
} from '#network/nodes/replacements.queries.ts'
import { endLinks } from '#people/share-links/share-links.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher'>

/** Where nothing else is wanted: on the node that it has, unless that is drained or full; then on one that its app can reach. */
const capacityFor = async (deps: Deps, connectionId: string, wantedNodeId: string | undefined) => {
  const { own, current, wanted, planId, filtersOn } = await findNodeToMoveTo(
    deps.db,
    connectionId,
    wantedNodeId,
  )
  if (!current) throw new Problem('connection-not-found')
  if (wantedNodeId === current.node_id) throw new Problem('location-current')
  if (wantedNodeId && !wanted) throw new Problem('location-not-found')
  if (wanted) {
    if (!(await hasCapacity(deps, wanted, 1))) throw new Problem('location-full')
    return wanted.id
  }
  if (own && (await hasCapacity(deps, own, 1))) return own.id
  const alike = current.is_obfuscated ? { nodeId: current.node_id, isChosen: true } : undefined
  const nodeId = await findNodeWithCapacity(deps, 1, planId, alike, filtersOn)
  if (!nodeId) throw new Problem('location-full')
  return nodeId
}

/** A renewal leaves those to buyers whose node is nearly full, and never moves a connection. */
const capacityToRenew = async (deps: Deps, connectionId: string): Promise<string> => {
  const node = await findNodeToRenewOn(deps.db, connectionId)
  const left = node && Math.ceil(poolSize(node) * LEAST_FREE_PART)
  if (!node || !(await hasCapacity(deps, node, 1 + Number(left)))) throw new Problem('location-full')
  return node.id
}

/** A node that was chosen is refused if it cannot do what is switched on; one that is found may have to do without. */
const requireFilters = async (trx: Trx, nodeId: string, filtersOn: number): Promise<void> => {
  const { name, lacked } = await findLacked(trx, nodeId, filtersOn)
  if (lacked !== 0)
    throw new Problem('location-lacks-filter', {
      detail: OUR_MESSAGES.filterNotThere(name, labelsOf(lacked)),
    })
}

type Current = NonNullable<Awaited<ReturnType<typeof lockCurrentPeer>>>

/** One that does not open any more gives way to another. */
const presharedKeyOf = ({ keyCipher }: Deps, { id, preshared_key_encrypted }: Current): string => {
  try {
    return keyCipher.decrypt(preshared_key_encrypted, id)
  } catch {
    return generatePresharedKey()
  }
}

type Keys = { publicKey: string; privateKey?: string; presharedKey: string }

const sealKeys = ({ keyCipher }: Deps, id: string, { publicKey, privateKey, presharedKey }: Keys) => ({
  public_key: publicKey,
  private_key_encrypted: privateKey === undefined ? null : keyCipher.encrypt(privateKey, id),
  preshared_key_encrypted: keyCipher.encrypt(presharedKey, id),
  has_own_key: privateKey === undefined,
})

const KEY_CONSTRAINTS = ['one_peer_per_key', 'one_connection_per_own_key']

/** Another names the same key at the same moment. */
const insertUnlessTaken = async (trx: Trx, row: Parameters<typeof insertReplacement>[1]): Promise<void> => {
  try {
    await insertReplacement(trx, row)
  } catch (error) {
    if (KEY_CONSTRAINTS.includes(String((error as { constraint?: string }).constraint)))
      throw new Problem('key-taken')
    throw error
  }
}

type Terms = {
  /** Only if it is on this node still; else 'connection-expired' is thrown. */
  from?: string | undefined
  /** The old keys are cut off as soon as the node hears of it. */
  cutOffOld?: boolean
  /** Only if its keys are due; else 'connection-expired' is thrown. Links stay, and the old keys work until the new are connected. */
  isRenewal?: boolean
  /** Of a key that the customer has made. */
  publicKey?: string | undefined
  /** Where its customer made the key it has, that stays. */
  keepsOwnKey?: boolean
  /** What is to be locked before the connection, in the same transaction. */
  before?: (trx: Trx) => Promise<unknown>
  /** What is to happen with it, in one transaction. */
  also?: (trx: Trx) => Promise<void>
}

/**
 * Gives a connection new keys and a new address, on the node that is wanted or else on its own. What it had works until
 * the new is first connected, at most a day; of several that were never used only the newest is kept. Where it gives an
 * address of that node up at once, it keeps that one: making keys again and again takes one address, and cutting off takes
 * none, so that it works on a node that is full too. A link ends, which would show the new keys to whom the old ones were
 * shown; a renewal is no sign of distrust, and leaves it. From then on the next renewal is counted. A key that a customer
 * names must be no other peer's, or it would get that one's packets, and ends renewals. One that is kept goes on to
 * another node with the preshared key; what had it on that node before gives way. Throws 'connection-not-found',
 * 'connection-expired', 'location-not-found', 'location-current', 'location-full', 'location-lacks-filter' and 'key-taken'.
 */
export const replacePeer = async (
  deps: Deps,
  connectionId: string,
  wantedNodeId?: string,
  { from, cutOffOld = false, isRenewal = false, publicKey, keepsOwnKey = false, before, also }: Terms = {},
): Promise<void> => {
  const { db } = deps
  const isInPlace = cutOffOld && wantedNodeId === undefined
  const findCapacity = () =>
    isRenewal ? capacityToRenew(deps, connectionId) : capacityFor(deps, connectionId, wantedNodeId)
  const foundNodeId = isInPlace ? undefined : await findCapacity()
  const id = randomUUID()
  const fresh = publicKey === undefined ? generateKeyPair() : { publicKey }
  await db.transaction().execute(async (trx) => {
    await before?.(trx)
    const current = await lockCurrentPeer(trx, connectionId, from)
    if (!current || (isRenewal && !(await isDue(trx, connectionId)))) throw new Problem('connection-expired')
    // It was moved there meanwhile.
    if (wantedNodeId === current.node_id) throw new Problem('location-current')
    if (wantedNodeId) await requireFilters(trx, wantedNodeId, current.filters_on)
    const nodeId = foundNodeId ?? current.node_id
    const unused = await listUnusedReplacements(trx, connectionId)
    await markReplaced(trx, current, isRenewal)
    const kept = keepsOwnKey && publicKey === undefined && current.has_own_key ? current : undefined
    const over = (await listReplaced(trx, connectionId))
      .filter(
        (old) =>
          cutOffOld ||
          unused.includes(old.id) ||
          (old.public_key === kept?.public_key && old.node_id === nodeId),
      )
      .map((old) => old.id)
    if (over.length > 0) await removeReplaced(trx, over)
    if (publicKey !== undefined && (await isKeyTaken(trx, publicKey))) throw new Problem('key-taken')
    const position = (await keepAddress(trx, nodeId, over)) ?? (await takeAddress(trx, nodeId))
    // Others have taken it since it was seen; the next try finds another.
    if (position === undefined) throw new Problem('location-full')
    if (isRenewal) await noteRenewed(trx, connectionId)
    else await endLinks(trx, [connectionId])
    const keys = kept
      ? { publicKey: kept.public_key, presharedKey: presharedKeyOf(deps, kept) }
      : { ...fresh, presharedKey: generatePresharedKey() }
    await insertUnlessTaken(trx, {
      id,
      connection_id: connectionId,
      node_id: nodeId,
      position,
      ...sealKeys(deps, id, keys),
    })
    if (publicKey !== undefined) await endRenewals(trx, connectionId)
    await planRenewal(trx, connectionId)
    await also?.(trx)
  })
}
