import { poolSize } from '@hedgerow/domain/addresses'
import { FILTERS } from '@hedgerow/domain/filters'
import { LEAST_FREE_PART, LIST_OLD_DAYS } from '@hedgerow/domain/nodes'
import { runningVersion } from '@hedgerow/settings/running-version'
import type { Check } from '#care/doctor/check.ts'
import {
  doubtOf,
  emptyLists,
  faultsOf,
  freeOf,
  isFailing,
  listNodeReports,
  missedLists,
  type NodeFacts,
  oldLists,
  runsApart,
  stateOf,
} from '#network/nodes/nodes.service.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).join(', ')

const EMPTY = 'docs/incidents.md#blocklistempty'

/** "London ads, family; Leeds ads": of those that have any. */
const listsOf = (rows: readonly NodeFacts[], of: (row: NodeFacts) => readonly string[]): string =>
  rows
    .filter((row) => of(row).length > 0)
    .map((row) => `${row.name} ${of(row).join(', ')}`)
    .join('; ')

/** What is sold wherever a node can do it, and now can be done by none that is open. */
const soldNowhere = (rows: readonly NodeFacts[]): string[] => {
  const open = rows.filter((row) => row.is_open && row.has_agent)
  return open.length === 0
    ? []
    : FILTERS.filter(({ filter }) => open.every((row) => emptyLists(row).includes(filter.list))).map(
        ({ label }) => label.toLowerCase(),
      )
}

const lookAtLists = (rows: readonly NodeFacts[]): Finding[] => {
  const [empty, old, nowhere] = [listsOf(rows, missedLists), listsOf(rows, oldLists), soldNowhere(rows)]
  const found: Finding[] = []
  if (nowhere.length > 0)
    found.push(problem(`no open node has names for: ${nowhere.join(', ')}. It cannot be bought`, EMPTY))
  if (empty)
    found.push(
      warning(`block lists without names, by which customers there bought a filter: ${empty}`, EMPTY),
    )
  if (old)
    found.push(
      warning(
        `block lists that could not be replaced for ${LIST_OLD_DAYS} days: ${old}`,
        'docs/incidents.md#blocklistold',
      ),
    )
  return found.length > 0 ? found : [ok('no block list is empty or old, as far as the agents say')]
}

/** "0.2.6 on London and Leeds". */
const lookAtVersions = (rows: readonly NodeFacts[]): Finding => {
  const agents = rows.filter(({ has_agent, is_demonstration }) => has_agent && !is_demonstration)
  const { version } = runningVersion()
  if (agents.length === 0) return ok('no agent has enrolled yet')
  if (!agents.some(runsApart)) return ok(`all agents run ${version}, as the shop does`)
  const versions = [...new Set(agents.map(({ agent_version }) => agent_version))]
  const each = versions.map(
    (one) =>
      `${one ?? 'a version that does not say'} on ${namesOf(agents.filter((row) => row.agent_version === one))}`,
  )
  return warning(
    `the shop runs ${version}, and agents ${each.join('; ')}`,
    'docs/incidents.md#agentversionsapart',
  )
}

export const nodeChecks: readonly Check[] = [
  {
    name: 'nodes',
    isCheap: true,
    look: async ({ settings, db }) => {
      const rows = await listNodeReports({ db })
      const of = (...states: string[]) => rows.filter((row) => states.includes(stateOf(row)))
      const [up, down] = [of('up'), of('down')]
      const demonstration = rows.filter((row) => row.is_demonstration)
      const finding = settings.isProduction ? problem : warning
      const free = (row: (typeof rows)[number]) => freeOf(row, Number(row.peers))
      const full = up.filter((row) => row.is_open && free(row) < poolSize(row) * LEAST_FREE_PART)
      const found: Finding[] = []
      if (up.length === 0)
        found.push(
          finding(
            'no node is up: what is sold leads nowhere',
            'Look at ops node list, or add one: docs/node.md.',
          ),
        )
      else found.push(ok(`${up.length} up: ${namesOf(up)}`))
      if (up.length > 0 && up.every((row) => !row.is_open || free(row) === 0))
        found.push(
          problem('no node has room for another connection', 'Add a node, or open one that is drained.'),
        )
      if (down.length > 0) found.push(problem(`down: ${namesOf(down)}`, 'docs/incidents.md#nodedown'))
      for (const row of rows.filter(isFailing))
        found.push(
          problem(`${row.name} is failing: ${faultsOf(row).join(' ')}`, 'docs/incidents.md#nodefailing'),
        )
      for (const row of rows) {
        const doubt = doubtOf(row)
        if (doubt) found.push(warning(`${row.name}: ${doubt}`, 'docs/node.md#from-outside'))
      }
      if (full.length > 0)
        found.push(warning(`nearly full: ${namesOf(full)}`, 'docs/incidents.md#poolnearlyfull'))
      if (settings.isProduction && demonstration.length > 0)
        found.push(problem('the demonstration node is in this shop', 'Remove it: node remove NAME'))
      return found
    },
  },
  {
    name: 'lists',
    isCheap: true,
    look: async ({ db }) => lookAtLists(await listNodeReports({ db })),
  },
  {
    name: 'agents',
    isCheap: true,
    look: async ({ db }) => lookAtVersions(await listNodeReports({ db })),
  },
]
