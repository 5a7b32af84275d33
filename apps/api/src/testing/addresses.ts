import { hasCapacity } from '#network/nodes/find-capacity.ts'
import { takeAddress } from '#network/nodes/replacements.queries.ts'
import type { Db } from '#platform/database/client.ts'

type Node = Parameters<typeof hasCapacity>[1]

/** Takes one of a node's free addresses, and returns its position in the pool. */
export const takeFreeAddress = async (db: Db, node: Node): Promise<number> => {
  for (;;) {
    const position = await db.transaction().execute((trx) => takeAddress(trx, node.id))
    if (position !== undefined) return position
    if (!(await hasCapacity({ db }, node, 1))) throw new Error('the pool is full')
  }
}
