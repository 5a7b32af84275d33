import { lastPosition } from '@hedgerow/domain/addresses'
import { byNearness } from '@hedgerow/domain/nearest'
import {
  extendFreeList,
  findPlace,
  hasFreeAddresses,
  listOpenNodes,
  type OpenNode,
} from '#network/nodes/capacity.queries.ts'
import type { With } from '#platform/dependencies.ts'

export { openNodes } from '#network/nodes/capacity.queries.ts'

/** How many positions are put on a node's free list at a time. */
const FREE_LIST_STEP = 4096

/** True when a node has so many free addresses, after putting more of its pool on the free list if need be. */
export const hasCapacity = async (
  { db }: With<'db'>,
  node: { id: string; ipv4: string; ipv6: string },
  count: number,
): Promise<boolean> => {
  while (!(await hasFreeAddresses(db, node.id, count))) {
    const isExtended = await db
      .transaction()
      .execute((trx) => extendFreeList(trx, node.id, lastPosition(node), FREE_LIST_STEP, count))
    if (!isExtended) return false
  }
  return true
}

/** A location that was chosen, or is the nearest to the customer. */
export type WantedLocation = { nodeId: string; isChosen: boolean }

/** Compares by the first of these that differ. */
const byAll = (one: readonly number[], other: readonly number[]): number => {
  const place = one.findIndex((value, i) => value !== other[i])
  return place === -1 ? 0 : (one[place] ?? 0) - (other[place] ?? 0)
}

/**
 * Open nodes, the one to be taken first at the top. Before the others that are up comes the one that was chosen; then
 * those that can do the options that were bought, those of the plan's own layer, the nearest to what is wanted, the least loaded.
 * Obfuscated nodes come only where one was chosen, and first then.
 */
export const nodesInTurn = async (
  { db }: With<'db'>,
  planId: string | null,
  wanted: WantedLocation | undefined,
  options: number,
): Promise<OpenNode[]> => {
  const all = await listOpenNodes(db, planId, options)
  const place = wanted && (await findPlace(db, wanted.nodeId))
  const isObfuscated = wanted?.isChosen === true && place?.is_obfuscated === true
  const nodes = isObfuscated ? all : all.filter(({ is_obfuscated }) => !is_obfuscated)
  if (!wanted) return nodes
  const { nodeId, isChosen } = wanted
  const near = byNearness(
    nodes.map((node) => ({ node, timeZone: node.time_zone })),
    place?.time_zone ?? null,
  )
  const merits = ({ id, rank, layer_id, lacked, is_obfuscated }: OpenNode) => [
    rank,
    isChosen && id === nodeId ? 0 : 1,
    is_obfuscated ? 0 : 1,
    (lacked & options) === 0 ? 0 : 1,
    layer_id === null ? 1 : 0,
  ]
  return near.map(({ node }) => node).sort((one, other) => byAll(merits(one), merits(other)))
}

/**
 * The first open node with so many free addresses: the one that is wanted, or else the nearest to it, or the least loaded.
 * `planId` is of the plan that it is for, if it is for one.
 */
export const findNodeWithCapacity = async (
  deps: With<'db'>,
  count: number,
  planId: string | null,
  wanted?: WantedLocation,
  options = 0,
): Promise<string | undefined> => {
  for (const node of await nodesInTurn(deps, planId, wanted, options)) {
    if (await hasCapacity(deps, node, count)) return node.id
  }
  return undefined
}
