import { poolSize } from '@hedgerow/domain/addresses'
import { LEAST_FREE_PART } from '@hedgerow/domain/nodes'
import { type Check, type Finding, ok, problem, warning } from '#doctor/check.ts'
import { freeOf, listNodeReports, stateOf } from '#nodes/nodes.service.ts'

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).join(', ')

export const nodeChecks: readonly Check[] = [
  {
    name: 'nodes',
    isCheap: true,
    look: async ({ settings, db }) => {
      const rows = await listNodeReports({ db })
      const of = (...states: string[]) => rows.filter((row) => states.includes(stateOf(row)))
      const [up, down] = [of('up'), of('down')]
      const demonstration = rows.filter((row) => row.is_demonstration)
      const told = settings.isProduction ? problem : warning
      const free = (row: (typeof rows)[number]) => freeOf(row, Number(row.peers))
      const full = up.filter((row) => row.is_open && free(row) < poolSize(row) * LEAST_FREE_PART)
      const found: Finding[] = []
      if (up.length === 0)
        found.push(told('no node is up: what is sold leads nowhere', 'node list, node add NAME'))
      else found.push(ok(`${up.length} up: ${namesOf(up)}`))
      if (up.length > 0 && up.every((row) => !row.is_open || free(row) === 0))
        found.push(
          problem('no node has room for another connection', 'Add a node, or open one that is drained.'),
        )
      if (down.length > 0) found.push(problem(`down: ${namesOf(down)}`, 'docs/incidents.md#nodedown'))
      if (full.length > 0)
        found.push(warning(`nearly full: ${namesOf(full)}`, 'docs/incidents.md#poolnearlyfull'))
      if (settings.isProduction && demonstration.length > 0)
        found.push(problem('the demonstration node is in this shop', 'Remove it: node remove NAME'))
      return found
    },
  },
]
