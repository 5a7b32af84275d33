import { lastPosition } from '@hedgerow/domain/addresses'
import type { Dependencies } from '#dependencies.ts'
import { extendFreeList, hasFreeAddresses, listOpenNodes } from './connections.queries.ts'

/** How many positions are put on a node's free list at a time. */
const FREE_LIST_STEP = 4096

/** An open node that has so many free addresses, after putting more of its pool on the free list if need be. */
export const findRoom = async (
  { db }: Pick<Dependencies, 'db'>,
  count: number,
): Promise<string | undefined> => {
  for (const node of await listOpenNodes(db)) {
    for (;;) {
      if (await hasFreeAddresses(db, node.id, count)) return node.id
      const isExtended = await db
        .transaction()
        .execute((trx) => extendFreeList(trx, node.id, lastPosition(node), FREE_LIST_STEP, count))
      if (!isExtended) break
    }
  }
  return undefined
}
