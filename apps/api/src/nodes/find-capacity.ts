import { lastPosition } from '@hedgerow/domain/addresses'
import type { With } from '#dependencies.ts'
import { extendFreeList, hasFreeAddresses, listOpenNodes } from '#nodes/capacity.queries.ts'

export { openNodes } from '#nodes/capacity.queries.ts'

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

/** The least loaded open node with so many free addresses; `planId` is of the plan that it is for, if it is for one. */
export const findNodeWithCapacity = async (
  deps: With<'db'>,
  count: number,
  planId: string | null,
): Promise<string | undefined> => {
  for (const node of await listOpenNodes(deps.db, planId)) {
    if (await hasCapacity(deps, node, count)) return node.id
  }
  return undefined
}
