import { poolSize } from '@hedgerow/domain/addresses'
import { NODE_STATES } from '@hedgerow/domain/nodes'
import { type Sample, source } from '#care/telemetry/read-at-scrape.ts'
import {
  faultsOf,
  freeOf,
  type ListedNode,
  listAges,
  listNodes,
  missedLists,
  runsApart,
  stateOf,
} from '#network/nodes/nodes.service.ts'

const PER_NODE = { labelNames: ['node'] }

/** How the nodes stand, by their names. The peers are those of the last count, a few seconds ago. */
export const nodeSource = source({
  families: {
    hedgerow_peers: { help: 'Peers that a node keeps', ...PER_NODE },
    hedgerow_pool_free: { help: "Free addresses of an open node's pool", ...PER_NODE },
    hedgerow_pool_size: { help: "All addresses of a node's pool", ...PER_NODE },
    hedgerow_node_faults: {
      help: 'What does not work on a node, as its agent or the shop finds: how many',
      ...PER_NODE,
    },
    hedgerow_node_seen_seconds: { help: "Seconds since a node's agent was seen", ...PER_NODE },
    hedgerow_node_info: { help: "The version of a node's agent", labelNames: ['node', 'version'] },
    hedgerow_nodes_apart: { help: 'Nodes whose agents run another version than the shop', labelNames: [] },
    hedgerow_node_list_names: {
      help: 'Names in each block list of a node, as its agent says',
      labelNames: ['node', 'list'],
    },
    hedgerow_node_list_missed: {
      help: 'Empty block lists by which connections of a node were sold a filter',
      labelNames: ['node', 'list'],
    },
    hedgerow_node_list_age_seconds: {
      help: 'Seconds since a block list that a node fetches was last as its source has it',
      labelNames: ['node', 'list'],
    },
    hedgerow_nodes: {
      help: 'Nodes by state: awaiting an agent, up, down, drained, or the demonstration',
      labelNames: ['state'],
    },
  },
  read: async (db) => {
    const rows = await listNodes(db)
    const perNode = (measured: (row: ListedNode) => number | null): Sample[] =>
      rows.flatMap((row) => {
        const value = measured(row)
        return value === null ? [] : [{ labels: { node: row.name }, value }]
      })
    return {
      hedgerow_peers: perNode(({ load }) => load),
      // A drained node needs none.
      hedgerow_pool_free: perNode((row) => (row.is_open ? freeOf(row, row.load) : null)),
      hedgerow_pool_size: perNode(poolSize),
      hedgerow_node_seen_seconds: perNode((row) => row.seen_seconds),
      hedgerow_node_faults: perNode((row) => (row.has_agent ? faultsOf(row).length : null)),
      hedgerow_node_info: rows
        .filter(({ has_agent }) => has_agent)
        .map(({ name, agent_version }) => ({
          labels: { node: name, version: agent_version ?? 'unknown' },
          value: 1,
        })),
      hedgerow_nodes_apart: [{ labels: {}, value: rows.filter(runsApart).length }],
      hedgerow_node_list_names: rows.flatMap(({ name, list_names }) =>
        Object.entries(list_names ?? {}).map(([list, value]) => ({ labels: { node: name, list }, value })),
      ),
      hedgerow_node_list_missed: rows.flatMap((row) =>
        Object.keys(row.list_names ?? {}).map((list) => ({
          labels: { node: row.name, list },
          value: missedLists(row).includes(list) ? 1 : 0,
        })),
      ),
      hedgerow_node_list_age_seconds: rows.flatMap((row) =>
        listAges(row).map(({ list, seconds }) => ({ labels: { node: row.name, list }, value: seconds })),
      ),
      hedgerow_nodes: NODE_STATES.map((state) => ({
        labels: { state },
        value: rows.filter((row) => stateOf(row) === state).length,
      })),
    }
  },
})
