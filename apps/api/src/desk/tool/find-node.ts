import { Refusal } from '#desk/tool/refusal.ts'
import type { NodeFacts } from '#network/nodes/nodes.service.ts'
import { getNodeReport } from '#network/nodes/nodes.service.ts'
import type { Db } from '#platform/database/client.ts'

/** Throws a Refusal when no node that is there has the name. */
export const nodeNamed = async (db: Db, name: string): Promise<NodeFacts> => {
  const node = await getNodeReport({ db }, name)
  if (!node) throw new Refusal(`There is no node ${name}. To list them: node list`)
  return node
}
