import { NODE_STATES } from '@hedgerow/domain/nodes'
import { Gauge, type Registry } from 'prom-client'
import type { Dependencies } from '#dependencies.ts'
import { type ListedNode, listNodes } from './node-facts.queries.ts'
import { freeOf, stateOf } from './nodes.service.ts'

/** How the nodes stand, by their names. The peers are those of the last count, a few seconds ago. */
export const measureNodes = (registry: Registry, { db }: Pick<Dependencies, 'db'>): void => {
  let asked: Promise<ListedNode[]> | undefined
  /** All gauges are read at once, and the database is asked once for them. */
  const read = () => {
    asked ??= listNodes(db).finally(() => {
      asked = undefined
    })
    return asked
  }

  const perNode = (name: string, help: string, measured: (row: ListedNode) => number | null) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['node'],
      registers: [registry],
      collect: async () => {
        const rows = await read()
        // One that was removed is not shown any more.
        gauge.reset()
        for (const row of rows) {
          const value = measured(row)
          if (value !== null) gauge.set({ node: row.name }, value)
        }
      },
    })
  }
  perNode('hedgerow_peers', 'Peers that a node keeps', ({ load }) => load)
  perNode('hedgerow_pool_free', "Free addresses of a node's pool", (row) => freeOf(row, row.load))
  perNode('hedgerow_node_seen_seconds', "Seconds since a node's agent was seen", (row) => row.seen_seconds)

  const nodes = new Gauge({
    name: 'hedgerow_nodes',
    help: 'Nodes by state: awaiting an agent, up, down, drained, or the demonstration',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const rows = await read()
      for (const state of NODE_STATES)
        nodes.set({ state }, rows.filter((row) => stateOf(row) === state).length)
    },
  })
}
