import { randomInt, randomUUID } from 'node:crypto'
import { poolSize } from '@hedgerow/domain/addresses'
import { FILTERS } from '@hedgerow/domain/filters'
import { isSameHost, oldPortsAfter, portOf } from '@hedgerow/domain/node-places'
import { LIST_OLD_DAYS, nodeState } from '@hedgerow/domain/nodes'
import { hasBit } from '@hedgerow/domain/pricing'
import { runningVersion } from '@hedgerow/settings/running-version'
import { drawObfuscation } from '@hedgerow/wireguard/obfuscation'
import { listLayerRows } from '#catalogue/plans/plans.service.ts'
import { announceNewFiles } from '#network/connections/new-files.ts'
import { findNodeFacts, type ListedNode, listNodeFacts } from '#network/nodes/node-facts.queries.ts'
import {
  findRemoval,
  insertNode,
  lockEndpoint,
  NOW,
  replaceEnrolment,
  setEndpoint,
  setExits,
  setMtu,
  setOpen,
  setSecondPort,
  setTimeZone,
} from '#network/nodes/nodes.queries.ts'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'

export { deleteOldDays } from '#network/nodes/node-days.queries.ts'
export { type ListedNode, listNodes, type NodeFacts } from '#network/nodes/node-facts.queries.ts'
export { deleteOldHours, deleteOldMinutes } from '#network/nodes/node-history.queries.ts'
export { claimWaiting } from '#network/nodes/node-watch.queries.ts'

type Deps = With<'db'>

/** A token is shown once; only its hash is kept. */
export type Enrolment = { token: string; expiresAt: Date }

type Announced = {
  name: string
  endpoint: string
  secondPort?: number | null
  ipv4: string
  ipv6: string
  layerId?: string | undefined
  timeZone?: string | undefined
  isObfuscated?: boolean
}

const draw = (least: number, most: number): number => randomInt(least, most + 1)

/** Announces a node: it becomes one when its agent enrols. */
export const addNode = async (
  { db }: Deps,
  { name, endpoint, secondPort, ipv4, ipv6, layerId, timeZone, isObfuscated }: Announced,
): Promise<Enrolment | 'name-taken' | 'no-layer'> => {
  const layers = layerId === undefined ? [] : await listLayerRows(db)
  if (layerId !== undefined && !layers.some(({ id }) => id === layerId)) return 'no-layer'
  const token = newToken()
  const row = {
    id: randomUUID(),
    name,
    endpoint,
    second_port: secondPort ?? null,
    ipv4,
    ipv6,
    layer_id: layerId ?? null,
    time_zone: timeZone ?? null,
    obfuscation: isObfuscated ? JSON.stringify(drawObfuscation(draw)) : null,
  }
  const expiresAt = await insertNode(db, { ...row, enrolment_hash: hashToken(token) })
  return expiresAt ? { token, expiresAt } : 'name-taken'
}

/** A new token, which locks out the agent that is there. Undefined when the node is gone. */
export const renewEnrolment = async ({ db }: Deps, nodeId: string): Promise<Enrolment | undefined> => {
  const token = newToken()
  const expiresAt = await replaceEnrolment(db, nodeId, hashToken(token))
  return expiresAt && { token, expiresAt }
}

/** Says where a node is: buyers are sold the nearest. */
export const placeNode = ({ db }: Deps, nodeId: string, timeZone: string): Promise<void> =>
  setTimeZone(db, nodeId, timeZone)

/** It takes no new customers any more; those who are there stay. False when it was drained before. */
export const drainNode = ({ db }: Deps, nodeId: string): Promise<boolean> => setOpen(db, nodeId, false)

export const openNode = ({ db }: Deps, nodeId: string): Promise<boolean> => setOpen(db, nodeId, true)

/** What followed from another endpoint. */
export type Changed = { customers: number; isHostChanged: boolean; oldPorts: number[] }

/**
 * What is read from now on names the new endpoint; customers are mailed. With another port the node serves the one before
 * too. Undefined when it had that endpoint before.
 */
export const changeEndpoint = (
  { db }: Deps,
  nodeId: string,
  endpoint: string,
): Promise<Changed | 'too-many-ports' | undefined> =>
  db.transaction().execute(async (trx) => {
    const former = await lockEndpoint(trx, nodeId)
    if (!former || former.endpoint === endpoint) return undefined
    const [port, next] = [portOf(former.endpoint), portOf(endpoint)]
    const oldPorts = oldPortsAfter({ port, oldPorts: former.old_ports }, next)
    if (!oldPorts) return 'too-many-ports'
    const isHostChanged = !isSameHost(former.endpoint, endpoint)
    await setEndpoint(trx, nodeId, {
      endpoint,
      old_ports: oldPorts,
      second_port_answers: false,
      ...(port === next ? {} : { port_changed_at: NOW }),
    })
    return {
      customers: await announceNewFiles(trx, nodeId, isHostChanged ? 'endpoint' : 'port'),
      isHostChanged,
      oldPorts,
    }
  })

/** Of its tunnel; null: as its agent derives it. False when it was so before. */
export const changeMtu = ({ db }: Deps, nodeId: string, mtu: number | null): Promise<boolean> =>
  setMtu(db, nodeId, mtu)

/** Another to serve besides; null: none. False when it was so before. */
export const changeSecondPort = ({ db }: Deps, nodeId: string, port: number | null): Promise<boolean> =>
  setSecondPort(db, nodeId, port)

/** Further addresses that its customers come from, in place of those named before. False when it is gone. */
export const nameExits = ({ db }: Deps, nodeId: string, addresses: readonly string[]): Promise<boolean> =>
  setExits(db, nodeId, addresses)

/** What its agent says does not work, in sentences; if it says nothing of the kind, why the node is not reached from outside. */
export const faultsOf = ({
  faults,
  unreached,
  is_surely_unreached,
}: Pick<ListedNode, 'faults' | 'unreached' | 'is_surely_unreached'>): string[] =>
  faults ? faults.split('\n') : unreached && is_surely_unreached ? [unreached] : []

/** Why it may not be reached from outside, though that may be the shop's own network: it is sold all the same. */
export const doubtOf = ({ unreached, is_surely_unreached }: ListedNode): string | null =>
  is_surely_unreached ? null : unreached

/** Its agent is in contact and something does not work, whether it takes new customers or not. */
export const isFailing = (row: ListedNode): boolean => row.is_in_contact && faultsOf(row).length > 0

export const stateOf = (row: ListedNode) =>
  nodeState({
    isOpen: row.is_open,
    hasAgent: row.has_agent,
    isInContact: row.is_in_contact,
    hasFaults: faultsOf(row).length > 0,
    isDemonstration: row.is_demonstration,
  })

/** Its agent is of another version than the shop, or so old that it does not say. */
export const runsApart = (row: ListedNode): boolean =>
  row.has_agent && !row.is_demonstration && row.agent_version !== runningVersion().version

/** Its lists without names, of which no filter is sold there. */
export const emptyLists = ({ list_names }: ListedNode): string[] =>
  Object.entries(list_names ?? {}).flatMap(([list, names]) => (names === 0 ? [list] : []))

/** Its empty lists by which connections that live there were sold a filter: it does nothing for them. */
export const missedLists = (node: ListedNode): string[] => {
  const sold = FILTERS.filter((filter) => hasBit(node.options_beside_empty_list ?? 0, filter))
  return emptyLists(node).filter((list) => sold.some(({ filter }) => filter.list === list))
}

/** For how long each list that it fetches has not been as its source has it. */
export const listAges = ({ list_times }: ListedNode, now = Date.now()) =>
  Object.entries(list_times ?? {}).map(([list, at]) => ({ list, seconds: Math.max(0, now / 1000 - at) }))

/** Its lists that were kept for weeks, because what was fetched could not replace them, or nothing could be fetched. */
export const oldLists = (row: ListedNode): string[] =>
  listAges(row).flatMap(({ list, seconds }) => (seconds > LIST_OLD_DAYS * 86_400 ? [list] : []))

/** An address of the pool is a peer's, or rests, or is free, whether it stands on the free list yet or not. */
export const freeOf = (row: ListedNode, peers: number): number =>
  Math.max(0, poolSize(row) - peers - Number(row.resting))

export const listNodeReports = ({ db }: Deps) => listNodeFacts(db)

export const getNodeReport = ({ db }: Deps, name: string) => findNodeFacts(db, name)

/** When the last node of that name was removed. */
export const findRemovedNode = ({ db }: Deps, name: string) => findRemoval(db, name)
