import {
  addConsoleNode,
  changeConsoleNode,
  clearConsoleNode,
  drainConsoleNode,
  exitsOfConsoleNode,
  getConsoleNode,
  getNodeHistory,
  listConsoleNodes,
  MTU_FORM,
  type NodeView,
  openConsoleNode,
  placeConsoleNode,
  removeConsoleNode,
  resyncConsoleNode,
  tokenOfConsoleNode,
  upgradeConsoleNode,
} from '@hedgerow/contract/console/nodes'
import { plainAddress } from '@hedgerow/domain/networks'
import {
  endpointFault,
  exitFault,
  ipv4PoolFault,
  ipv6PoolFault,
  isSameEndpoint,
  isSameHost,
  localEndpointFault,
  NODE_NAME_FORM,
  nodeName,
  poolsFault,
  portOf,
  withPort,
} from '@hedgerow/domain/node-places'
import { MOST_OLD_PORTS, SECOND_PORT, TUNNEL_MTU } from '@hedgerow/domain/nodes'
import { counted } from '@hedgerow/domain/order-description'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  enrolmentLines,
  poolWarning,
  presentLastDay,
  presentNode,
  presentStep,
} from '#desk/nodes/nodes.present.ts'
import { resyncAgent } from '#network/agents/resync-agents.ts'
import { planUpgrades, stopOpenUpgrades } from '#network/agents/upgrades.service.ts'
import { lastDays, nodeHistory } from '#network/nodes/node-history.service.ts'
import {
  addNode,
  type Changed,
  changeEndpoint,
  changeMtu,
  changeSecondPort,
  drainNode,
  type Enrolment,
  getNodeReport,
  listNodeReports,
  type NodeFacts,
  nameExits,
  openNode,
  placeNode,
  renewEnrolment,
  runsApart,
} from '#network/nodes/nodes.service.ts'
import { countLiveOn, moveAway, removeNode } from '#network/nodes/remove-node.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'settings'>

const TIME_ZONE_FORM = 'A time zone is written like Europe/London.'

const view = (row: NodeFacts, days: Awaited<ReturnType<typeof lastDays>>): NodeView => {
  const { layer, revision, ...node } = presentNode(row)
  return {
    ...node,
    ...presentLastDay(days.get(row.id)),
    layer: layer?.name ?? null,
    place: (row.time_zone && timeZonePlace(row.time_zone)) || null,
    revision: { told: revision.told, applied: revision.applied },
    lag: revision.lag,
  }
}

const requireFree = (field: string, fault: string | undefined): void => {
  if (fault !== undefined) throw invalidField(field, fault)
}

/** By all its ports. */
const isAt = ({ endpoint, old_ports, second_port }: NodeFacts, other: string): boolean =>
  [endpoint, ...[...old_ports, second_port ?? []].flat().map((port) => withPort(endpoint, port))].some(
    (own) => isSameEndpoint(own, other),
  )

const ownerOf = async (deps: Deps, endpoint: string, own?: NodeFacts): Promise<NodeFacts | undefined> =>
  (await listNodeReports(deps)).find((node) => node.id !== own?.id && isAt(node, endpoint))

/** Throws 'invalid' for one that customers cannot reach, or that another node has. */
const requireEndpoint = async (
  deps: Deps,
  endpoint: string,
  allowLocal: boolean,
  field: 'endpoint' | 'port' | 'secondPort' = 'endpoint',
  own?: NodeFacts,
): Promise<void> => {
  requireFree(field, endpointFault(endpoint) ?? (allowLocal ? undefined : localEndpointFault(endpoint)))
  const owner = await ownerOf(deps, endpoint, own)
  requireFree(field, owner && `The node ${owner.name} has this endpoint. Choose another port or host.`)
}

const effectsOf = ({ customers, isHostChanged, oldPorts }: Changed): string[] => [
  ...(customers === 0
    ? ['No customer has a configuration of this node.']
    : [
        `${counted(customers, 'customer')} will get an email that new configurations are waiting.`,
        isHostChanged
          ? 'They have to import them before the old host stops leading to the server.'
          : 'They can import them at any time.',
      ]),
  ...(oldPorts.length > 0
    ? [
        `Configurations with port ${oldPorts.join(' or ')} keep working until every connection from before the change is gone.`,
      ]
    : []),
]

/** Null: as its agent derives it. */
const readMtu = (text: string): number | null => {
  if (text === 'auto') return null
  const mtu = Number(text)
  requireFree('mtu', mtu < TUNNEL_MTU.least || mtu > TUNNEL_MTU.most ? MTU_FORM : undefined)
  return mtu
}

/** Null: none. Throws 'invalid' for one that this node listens on, or that another one on the same host has. */
const readSecondPort = async (
  deps: Deps,
  node: NodeFacts,
  endpoint: string,
  text: string,
): Promise<number | null> => {
  if (text === 'off') return null
  const second = withPort(endpoint, Number(text))
  await requireEndpoint(deps, second, true, 'secondPort', node)
  const isOwn = isSameEndpoint(second, endpoint)
  requireFree('secondPort', isOwn ? 'The node listens there already. Choose another port.' : undefined)
  return Number(text)
}

const SECOND_PORT_EFFECT =
  'Customers may choose another second port in their files as soon as it answers from outside. Let it through firewalls before the node.'

const MTU_EFFECT =
  'No configuration has to be imported anew. An AGENT_MTU in the server’s own settings wins over the MTU that is set here.'

/** In so many steps a node is emptied, so that each answer comes soon. */
const MOVED_AT_ONCE = 25

/** Throws 'node-not-found'. */
const findNode = async (deps: Deps, name: string): Promise<NodeFacts> => {
  const node = await getNodeReport(deps, name)
  if (!node) throw new Problem('node-not-found')
  return node
}

const changesRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const nodeOf = (name: string) => findNode(deps, name)

  implementForOperators(app, deps, drainConsoleNode, async ({ params }) => ({
    isChanged: await drainNode(deps, (await nodeOf(params.name)).id),
  }))

  implementForOperators(app, deps, openConsoleNode, async ({ params }) => ({
    isChanged: await openNode(deps, (await nodeOf(params.name)).id),
  }))

  implementForOperators(app, deps, placeConsoleNode, async ({ params, body: { timeZone } }) => {
    requireFree('timeZone', timeZonePlace(timeZone) ? undefined : TIME_ZONE_FORM)
    await placeNode(deps, (await nodeOf(params.name)).id, timeZone)
    return {}
  })

  implementForOperators(app, deps, exitsOfConsoleNode, async ({ params, body: { addresses } }) => {
    for (const address of addresses) requireFree('addresses', exitFault(address))
    const exits = [...new Set(addresses.map(plainAddress))]
    if (!(await nameExits(deps, (await nodeOf(params.name)).id, exits))) throw new Problem('node-not-found')
    return {}
  })

  const moveTo = async (
    node: NodeFacts,
    endpoint: string,
    field: 'endpoint' | 'port',
    allowLocal: boolean,
  ): Promise<string[]> => {
    await requireEndpoint(deps, endpoint, allowLocal || isSameHost(endpoint, node.endpoint), field, node)
    if (portOf(endpoint) !== portOf(node.endpoint) && runsApart(node))
      throw refused('bring its agent up to date first: an older one would stop serving the old port')
    const effect = await changeEndpoint(deps, node.id, endpoint)
    if (effect === 'too-many-ports')
      throw refused(
        `it still serves ${MOST_OLD_PORTS} old ports. Go back to one of them, or move its customers to another node`,
      )
    return effect ? effectsOf(effect) : []
  }

  implementForOperators(app, deps, changeConsoleNode, async ({ params, body }) => {
    const node = await nodeOf(params.name)
    const { port, allowLocal } = body
    if (Object.values({ ...body, allowLocal: undefined }).every((value) => value === undefined))
      throw refused('say what is to change: the endpoint, the port, the second port or the MTU')
    const mtu = body.mtu === undefined ? undefined : readMtu(body.mtu)
    const given = body.endpoint ?? node.endpoint
    requireFree('endpoint', endpointFault(given))
    const endpoint = port === undefined ? given : withPort(given, port)
    const secondPort =
      body.secondPort === undefined ? undefined : await readSecondPort(deps, node, endpoint, body.secondPort)
    const isMoved = endpoint !== node.endpoint
    const effects = isMoved
      ? await moveTo(node, endpoint, port === undefined ? 'endpoint' : 'port', allowLocal)
      : []
    if (secondPort !== undefined && (await changeSecondPort(deps, node.id, secondPort)))
      effects.push(SECOND_PORT_EFFECT)
    if (mtu !== undefined && (await changeMtu(deps, node.id, mtu))) effects.push(MTU_EFFECT)
    return { isChanged: effects.length > 0, effects }
  })

  implementForOperators(app, deps, resyncConsoleNode, async ({ params }) => {
    await resyncAgent(deps.db, (await nodeOf(params.name)).id)
    return {}
  })

  implementForOperators(app, deps, clearConsoleNode, async ({ params }) => {
    const node = await nodeOf(params.name)
    if (node.is_open) throw refused('drain the node first: it would get new connections meanwhile')
    let moved = 0
    let noRoom = 0
    for await (const { outcome } of moveAway(deps, node.id)) {
      if (outcome === 'moved') moved++
      else noRoom++
      if (moved + noRoom >= MOVED_AT_ONCE) break
    }
    return { moved, noRoom, left: await countLiveOn(deps, node.id) }
  })

  implementForOperators(app, deps, removeConsoleNode, async ({ params }) => {
    const still = await removeNode(deps, (await nodeOf(params.name)).id)
    if (still > 0) throw refused(`it has ${still} live connections. Move them to other nodes first`)
    return {}
  })

  implementForOperators(app, deps, upgradeConsoleNode, async ({ params, body: { to } }) => {
    const node = await nodeOf(params.name)
    if (to === 'stop') {
      const stopped = await stopOpenUpgrades(deps, node.id)
      if (stopped === 0) throw refused('nothing waits there that could be stopped')
      return {}
    }
    const { left } = await planUpgrades(deps, [node], to === 'former' ? 'back' : {})
    const [first] = left
    if (first) throw refused(`it ${first.why}`)
    return {}
  })

  implementForOperators(app, deps, tokenOfConsoleNode, async ({ params }) => {
    const { id, name } = await nodeOf(params.name)
    const enrolment = await renewEnrolment(deps, id)
    if (!enrolment) throw new Problem('node-not-found')
    return present(deps, name, enrolment, null)
  })
}

const present = (
  { settings }: Deps,
  name: string,
  { token, expiresAt }: Enrolment,
  warning: string | null,
) => ({
  name,
  token,
  expiresAt: expiresAt.toISOString(),
  ...enrolmentLines(settings.publicUrl, token),
  warning,
})

/** VPN servers: how they stand, and what is done about them. */
export const nodesRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const nodeOf = (name: string) => findNode(deps, name)

  implementForOperators(app, deps, listConsoleNodes, async () => {
    const days = await lastDays(deps)
    return (await listNodeReports(deps)).map((row) => view(row, days))
  })

  implementForOperators(app, deps, getConsoleNode, async ({ params }) => {
    const node = await nodeOf(params.name)
    return view(node, await lastDays(deps, node.id))
  })

  implementForOperators(app, deps, getNodeHistory, async ({ params, query }) => {
    const steps = await nodeHistory(deps, (await nodeOf(params.name)).id, query.of)
    return steps.map(presentStep)
  })

  implementForOperators(app, deps, addConsoleNode, async ({ body, recordSubject }) => {
    const { endpoint, allowLocal, ipv4, ipv6, timeZone, layerId, obfuscated } = body
    const name = nodeName(body.name)
    if (name === undefined) throw invalidField('name', NODE_NAME_FORM)
    requireFree('ipv4', ipv4PoolFault(ipv4))
    requireFree('ipv6', ipv6PoolFault(ipv6) ?? poolsFault(ipv4, ipv6))
    requireFree('timeZone', timeZone && !timeZonePlace(timeZone) ? TIME_ZONE_FORM : undefined)
    await requireEndpoint(deps, endpoint, allowLocal)
    const second = withPort(endpoint, SECOND_PORT)
    const isSecondTaken = isSameEndpoint(second, endpoint) || (await ownerOf(deps, second)) !== undefined
    const added = await addNode(deps, {
      name,
      endpoint,
      secondPort: isSecondTaken ? null : SECOND_PORT,
      ipv4,
      ipv6,
      layerId: layerId || undefined,
      timeZone: timeZone || undefined,
      isObfuscated: obfuscated,
    })
    if (added === 'name-taken') throw invalidField('name', `There is already a node ${name}.`)
    if (added === 'no-layer') throw invalidField('layerId', 'There is no such layer.')
    recordSubject(name)
    return present(deps, name, added, poolWarning({ ipv4, ipv6 }))
  })

  changesRoutes(app, deps)
}
