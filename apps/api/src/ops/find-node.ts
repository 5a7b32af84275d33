import type { Db } from '#database/client.ts'
import type { NodeFacts } from '#nodes/node-facts.queries.ts'
import { getNodeReport } from '#nodes/nodes.service.ts'
import { Refusal } from './refusal.ts'

/** Throws a Refusal when no node that is there has the name. */
export const nodeNamed = async (db: Db, name: string): Promise<NodeFacts> => {
  const node = await getNodeReport({ db }, name)
  if (!node) throw new Refusal(`There is no node ${name}. See which there are: node list`)
  return node
}
