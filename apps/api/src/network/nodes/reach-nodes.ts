import { setTimeout as pause } from 'node:timers/promises'
import { portOf } from '@hedgerow/domain/node-places'
import { judgeReach, type Tried } from '@hedgerow/domain/node-reach'
import { createResolver, findAddresses } from '#network/nodes/find-addresses.ts'
import { noteTries } from '#network/nodes/node-history.queries.ts'
import {
  listLiveNodes,
  listToReach,
  type NodeToReach,
  nextHandshakeMs,
  noteHandshakes,
  setUnreached,
  type Verdict,
} from '#network/nodes/reach.queries.ts'
import { shopKeysOf, shopPeerOf } from '#network/nodes/shop-peer.ts'
import { openHandshakes } from '#network/nodes/try-handshakes.ts'
import type { With } from '#platform/dependencies.ts'

/** So many nodes are tried at once. */
const AT_ONCE = 200
/** WireGuard takes 50 handshakes a second of one peer, whichever way they come. */
const BETWEEN_FAMILIES_MS = 50

type Deps = With<'db' | 'settings' | 'keyedHash'> & Partial<With<'log'>>
type Parts = { resolver?: Parameters<typeof findAddresses>[1]; tryMs?: number }

/** Later each time, by a clock that is not set meanwhile. */
const clockFrom = (startMs: number) => {
  const began = performance.now()
  let last = startMs
  return () => {
    last = Math.max(last + 0.01, startMs + performance.now() - began)
    return last
  }
}

const inTurns = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = all[Symbol.iterator]()
  const worker = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

type Found = Pick<Tried, 'tried'> & { secondPortAnswers: boolean; tries: number; lost: number }

/** Tries each node, one address after the other. */
const tryAll = async (
  { settings, keyedHash }: Deps,
  nodes: readonly NodeToReach[],
  nowMs: () => number,
  { resolver = createResolver(), tryMs }: Parts,
): Promise<Map<string, Found>> => {
  const handshakes = await openHandshakes(nowMs, tryMs)
  const found = new Map<string, Found>()
  const tryNode = async ({
    id,
    endpoint,
    second_port,
    public_key,
    obfuscation,
    answered_addresses,
  }: NodeToReach): Promise<void> => {
    const addresses = await findAddresses(endpoint, resolver)
    const keys = { ...shopKeysOf(keyedHash, id), serverPublicKey: public_key ?? '' }
    const tryAt = (address: string, port: number) =>
      handshakes.try({ keys, obfuscation: obfuscation ?? undefined, address, port })
    const tried: { address: string; isAnswered: boolean }[] = []
    let [tries, lost] = [0, 0]
    for (const address of addresses ?? []) {
      if (settings.nodeReachCheck === 'ipv4' && address.includes(':')) continue
      if (tried.length > 0) await pause(BETWEEN_FAMILIES_MS)
      const { outcome, sent } = await tryAt(address, portOf(endpoint))
      const isAnswered = outcome === 'answered'
      if (outcome !== 'unsent') tried.push({ address, isAnswered })
      // Of one that has never answered it is not known that the node, and not the shop's own network, loses them.
      if (!isAnswered && !answered_addresses.includes(address)) continue
      tries += sent
      lost += isAnswered ? Math.max(0, sent - 1) : sent
    }
    const reached = tried.find(({ isAnswered }) => isAnswered)
    if (second_port && reached) await pause(BETWEEN_FAMILIES_MS)
    const second = second_port && reached ? await tryAt(reached.address, second_port) : undefined
    found.set(id, {
      tried: addresses && tried,
      secondPortAnswers: second?.outcome === 'answered',
      tries,
      lost,
    })
  }
  try {
    await inTurns(nodes, tryNode)
  } finally {
    handshakes.close()
  }
  return found
}

const REACHED = { unreached: null, isSure: false }

/** What cannot be said stays as it was. */
const verdictOf = (
  { unreached, is_surely_unreached }: NodeToReach,
  judged: ReturnType<typeof judgeReach>[number],
): Pick<Verdict, 'unreached' | 'isSure'> => {
  if (judged === undefined) return { unreached, isSure: is_surely_unreached }
  return judged ? { unreached: judged.reason, isSure: judged.isSure } : REACHED
}

/** Those of today's addresses that have ever answered. */
const answersOf = ({ answered_addresses }: NodeToReach, tried: Tried['tried']): string[] =>
  tried
    ? tried.flatMap(({ address, isAnswered }) =>
        isAnswered || answered_addresses.includes(address) ? [address] : [],
      )
    : answered_addresses

/**
 * The recurring job that tries from outside whether nodes answer, as the agents' own probes, which come by the loopback, cannot: a
 * firewall or a wrong endpoint keeps customers out while all is well inside. Nodes whose agents do not know the shop's
 * peer are not tried.
 */
export const reachNodes = async (deps: Deps, parts: Parts = {}): Promise<void> => {
  const { db, settings, keyedHash, log } = deps
  const all = await listToReach(db)
  const isTried = ({ id, public_key, shop_key, is_in_contact }: NodeToReach) =>
    settings.nodeReachCheck !== 'off' &&
    public_key !== null &&
    is_in_contact &&
    shop_key === shopPeerOf(keyedHash, id).publicKey
  const nodes = all.filter(isTried)
  const verdicts = all
    .filter(
      (node) =>
        !nodes.includes(node) && node.is_in_contact && (node.unreached !== null || node.second_port_answers),
    )
    .map(
      (node): Verdict => ({
        node,
        ...REACHED,
        answeredAddresses: node.answered_addresses,
        secondPortAnswers: false,
      }),
    )

  if (nodes.length > 0) {
    const nowMs = clockFrom(await nextHandshakeMs(db))
    const found = await tryAll(deps, nodes, nowMs, parts)
    await noteHandshakes(db, nowMs())
    await noteTries(
      db,
      [...found].flatMap(([nodeId, { tries, lost }]) => (tries > 0 ? [{ nodeId, tries, lost }] : [])),
    )
    const live = await listLiveNodes(db)
    const judged = judgeReach(
      nodes.map(({ id, endpoint, answered_addresses, is_surely_unreached }) => ({
        endpoint,
        tried: found.get(id)?.tried,
        answeredBefore: answered_addresses,
        wasSure: is_surely_unreached,
        hasCustomers: live.has(id),
      })),
    )
    for (const [i, node] of nodes.entries())
      verdicts.push({
        node,
        ...verdictOf(node, judged[i]),
        answeredAddresses: answersOf(node, found.get(node.id)?.tried),
        secondPortAnswers: found.get(node.id)?.secondPortAnswers ?? false,
      })
  }
  const news = await setUnreached(db, verdicts)
  for (const { node, unreached } of verdicts.filter(({ node }) => news.includes(node.id))) {
    if (unreached) log?.warn({ nodeId: node.id, unreached }, 'a node is not reached from outside')
    else log?.info({ nodeId: node.id }, 'a node is reached from outside')
  }
}
