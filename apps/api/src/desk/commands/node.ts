import { poolSize } from '@hedgerow/domain/addresses'
import { formatDateTime } from '@hedgerow/domain/dates'
import {
  endpointFault,
  ipv4PoolFault,
  ipv6PoolFault,
  NODE_NAME_FORM,
  nodeName,
  poolsFault,
} from '@hedgerow/domain/node-places'
import { ENROLMENT_HOURS } from '@hedgerow/domain/nodes'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'
import { type Command, InvalidArgumentError } from 'commander'
import { addNodeExits } from '#desk/commands/node-exits.ts'
import { addNodeRemove } from '#desk/commands/node-remove.ts'
import { addNodeUpgrade } from '#desk/commands/node-upgrade.ts'
import {
  enrolmentLines,
  freeNow,
  lagOf,
  poolWarning,
  presentNode,
  upgradeText,
  versionText,
} from '#desk/presentation/present-node.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { nodeNamed } from '#desk/tool/find-node.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { NodeFacts } from '#network/nodes/nodes.service.ts'
import {
  addNode as announceNode,
  drainNode,
  type Enrolment,
  listNodeReports,
  oldLists,
  openNode,
  placeNode,
  renewEnrolment,
  stateOf,
} from '#network/nodes/nodes.service.ts'
import type { Db } from '#platform/database/client.ts'
import { readPublicUrl } from '#platform/settings.ts'

type Json = { json?: true }

const readName = (text: string): string => {
  const name = nodeName(text)
  if (name === undefined) throw new InvalidArgumentError(NODE_NAME_FORM)
  return name
}

const checked =
  (faultIn: (text: string) => string | undefined) =>
  (text: string): string => {
    const fault = faultIn(text)
    if (fault) throw new InvalidArgumentError(fault)
    return text
  }

const readTimeZone = checked((text) =>
  timeZonePlace(text) ? undefined : 'A time zone is written like Europe/London.',
)

const sayEnrolment = (publicUrl: string, { token }: Enrolment): void => {
  const { start, install } = enrolmentLines(publicUrl, token)
  sayFacts([
    ['Token', token],
    ['Start', start],
    ['Install', install],
  ])
  say(
    `The token is shown only once. It works for ${ENROLMENT_HOURS} hours and enrols one server as this node.`,
  )
}

const presentEnrolment = (publicUrl: string, { token, expiresAt }: Enrolment) => ({
  token,
  expiresAt: expiresAt.toISOString(),
  ...enrolmentLines(publicUrl, token),
})

type Announced = { endpoint: string; ipv4: string; ipv6: string; layer?: string; timeZone?: string } & Json

const add = (name: string, { layer, timeZone, json, ...places }: Announced, command: Command) => {
  const fault = poolsFault(places.ipv4, places.ipv6)
  if (fault) command.error(`error: ${fault}`)
  const publicUrl = readPublicUrl(toolRun().env)
  return withDatabase(async (db) => {
    const enrolment = await announceNode({ db }, { name, ...places, layerId: layer, timeZone })
    if (enrolment === 'name-taken') throw new Refusal(`There is already a node ${name}.`)
    if (enrolment === 'no-layer') throw new Refusal(`There is no layer ${layer}.`)
    const warning = poolWarning(places)
    if (json) {
      const node = presentNode(await nodeNamed(db, name))
      return sayJson({ node, ...presentEnrolment(publicUrl, enrolment), warning })
    }
    say(`${name} is added. It gets connections once its agent has enrolled.`)
    sayEnrolment(publicUrl, enrolment)
    if (warning) say(warning)
  })
}

const token = (name: string, { yes, json }: Json & { yes?: true }) => {
  const publicUrl = readPublicUrl(toolRun().env)
  return withDatabase(async (db) => {
    const node = await nodeNamed(db, name)
    if (node.has_agent)
      await ask(
        `Make a new token for ${name}? Its agent is locked out until it enrols again. If the server has lost its key, all ${node.peers} connections there need a new configuration.`,
        yes,
      )
    const enrolment = await renewEnrolment({ db }, node.id)
    if (!enrolment) throw new Refusal(`${name} was removed a moment ago.`)
    if (json) return sayJson(presentEnrolment(publicUrl, enrolment))
    sayEnrolment(publicUrl, enrolment)
  })
}

const STATES = { awaiting: 'awaiting its agent' } as const satisfies Record<string, string>

const stateText = (row: NodeFacts): string => {
  const state = stateOf(row)
  const text = state === 'awaiting' ? STATES.awaiting : state
  return row.is_demonstration && state !== 'demonstration' ? `${text}, demonstration` : text
}

/** A list without names: its filter is not sold there. */
const listsText = (row: NodeFacts) =>
  Object.entries(row.list_names ?? {})
    .map(
      ([list, names]) =>
        `${list} ${names === 0 ? 'empty' : names}${oldLists(row).includes(list) ? ' (old)' : ''}`,
    )
    .join(', ') || 'its agent has not said'

const seenText = ({ seen_at }: NodeFacts) => (seen_at ? formatDateTime(seen_at) : 'never')
const freeText = (row: NodeFacts) => `${freeNow(row)} of ${poolSize(row)}`
const revisionText = (row: NodeFacts) => `${row.revision}/${row.applied_revision}`

const list = ({ json }: Json) =>
  withDatabase(async (db) => {
    const nodes = await listNodeReports({ db })
    if (json) return sayJson({ nodes: nodes.map(presentNode) })
    if (nodes.length === 0) return say('There are no nodes, so paid orders wait. To add one: node add --help')
    sayTable(
      ['node', 'endpoint', 'state', 'peers', 'free', 'told/applied', 'lag', 'version', 'seen'],
      nodes.map((row) => [
        row.name,
        row.endpoint,
        stateText(row),
        row.peers ?? '0',
        freeText(row),
        revisionText(row),
        String(lagOf(row)),
        versionText(row),
        seenText(row),
      ]),
    )
  })

const show = (name: string, { json }: Json) =>
  withDatabase(async (db) => {
    const row = await nodeNamed(db, name)
    if (json) return sayJson(presentNode(row))
    sayFacts([
      ['Node', row.name],
      ['Id', row.id],
      ['Endpoint', row.endpoint],
      ['State', stateText(row)],
      ['Layer', row.layer_name ?? 'none; it serves every plan'],
      ['Time zone', row.time_zone ?? 'not set; never offered as the nearest. To set it: node place'],
      ['Pools', `${row.ipv4}, ${row.ipv6}`],
      ['Peers', row.peers ?? '0'],
      ['Free', `${freeText(row)}; ${row.resting} more rest for a week after use`],
      ['Told', `revision ${row.revision}`],
      [
        'Applied',
        `revision ${row.applied_revision}; ${lagOf(row) === 1 ? '1 change' : `${lagOf(row)} changes`} behind`,
      ],
      ['Exits', row.exit_addresses.join(', ') || 'not set; the address of its agent is used'],
      [
        'Version',
        `${versionText(row)}${row.takes_upgrades === false ? '; refuses upgrades: it has no release key' : ''}`,
      ],
      ['Upgrade', row.upgrade ? `${row.name} ${upgradeText(row.upgrade)}` : 'none yet'],
      ['Seen', seenText(row)],
      ['Lists', listsText(row)],
      ['Added', formatDateTime(row.created_at)],
    ])
  })

const place = (name: string, timeZone: string, { json }: Json) =>
  withDatabase(async (db) => {
    const { id } = await nodeNamed(db, name)
    await placeNode({ db }, id, timeZone)
    if (json) return sayJson(presentNode(await nodeNamed(db, name)))
    say(`The time zone of ${name} is now ${timeZone}.`)
  })

/** Says how it stands now, whether it was so before or not. */
const switchOpen =
  (change: (deps: { db: Db }, nodeId: string) => Promise<boolean>, now: string, before: string) =>
  (name: string, { json }: Json) =>
    withDatabase(async (db) => {
      const { id } = await nodeNamed(db, name)
      const isChanged = await change({ db }, id)
      if (json) return sayJson({ isChanged, node: presentNode(await nodeNamed(db, name)) })
      say(`${name} ${isChanged ? now : before}`)
    })

const drain = switchOpen(
  drainNode,
  'gets no new connections from now on. Those it has stay.',
  'was already drained, and gets no new connections.',
)
const open = switchOpen(
  openNode,
  'is open. Orders waiting for room are delivered within 30 seconds.',
  'was already open.',
)

const NAME = 'the name of the node'

export const addNode = (program: Command): void => {
  const node = program
    .command('node')
    .summary('VPN servers')
    .description('The VPN servers that connections run on.')
    .helpCommand(false)
  changes(node.command('add'))
    .description('Add a node and get the token that enrols a server as this node.')
    .argument('<name>', 'its name, which customers see as the location', readName)
    .requiredOption('--endpoint <host:port>', 'where configurations connect to', checked(endpointFault))
    .requiredOption('--ipv4 <cidr>', 'the pool of IPv4 addresses, like 10.80.0.0/16', checked(ipv4PoolFault))
    .requiredOption('--ipv6 <cidr>', 'the pool of IPv6 addresses, like fd80::/64', checked(ipv6PoolFault))
    .option('--layer <id>', 'reserve it for the plans of this layer')
    .option('--time-zone <zone>', 'where it is, like Europe/London', readTimeZone)
    .addOption(JSON_OPTION)
    .action(add)
  reads(node.command('list')).description('All nodes and their state.').addOption(JSON_OPTION).action(list)
  reads(node.command('show'))
    .description('One node with all its details.')
    .argument('<name>', NAME)
    .addOption(JSON_OPTION)
    .action(show)
  changes(node.command('token'))
    .description('Make a new enrolment token. The current agent is locked out.')
    .argument('<name>', NAME)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(token)
  changes(node.command('place'))
    .description('Set where a node is. Buyers are offered the nearest one.')
    .argument('<name>', NAME)
    .argument('<zone>', 'its time zone, like Europe/London', readTimeZone)
    .addOption(JSON_OPTION)
    .action(place)
  changes(node.command('drain'))
    .description('Give a node no new connections. Those it has stay.')
    .argument('<name>', NAME)
    .addOption(JSON_OPTION)
    .action(drain)
  changes(node.command('open'))
    .description('Give a drained node new connections again.')
    .argument('<name>', NAME)
    .addOption(JSON_OPTION)
    .action(open)
  addNodeRemove(node)
  addNodeUpgrade(node)
  addNodeExits(node)
}
