import { isDeepStrictEqual } from 'node:util'
import type { AgentNode, AgentPeer, ShopPeer } from '@hedgerow/contract/agents'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import {
  changePeers,
  type DevicePeer,
  type DeviceReading,
  type Driver,
  inBatches,
  PEERS_AT_ONCE,
} from '#device/driver.ts'
import { ensureLinkMtu, isLinkUp, restoreName, setUpLink } from '#device/link.ts'
import { requireIpv6, withPort } from '#device/obstacles.ts'
import { planDifference } from '#device/plan-difference.ts'
import { checkPeerCount } from '#device/wireguard-go.ts'
import { isFree } from '#network/held-ports.ts'
import type { Network, PeerPolicy } from '#network/network.ts'
import type { SurroundingsWatch } from '#network/surroundings.ts'
import type { planRemoval } from '#reconcile/plan-change.ts'
import type { Log } from '#runtime/log.ts'
import type { Metrics } from '#runtime/metrics.ts'
import { Obstacle } from '#runtime/obstacle.ts'

type Parts = {
  interfaceName: string
  privateKey: string
  openDriver: (obfuscation: Obfuscation | undefined) => Promise<Driver>
  createNetwork: (node: AgentNode) => Network
  surroundings: SurroundingsWatch
  /** Of the agent's own, beside the shop's. */
  probePeers: readonly AgentPeer[]
  metrics: Metrics
  log: Log
}

type Plane = Parts & {
  driver?: Driver
  network?: Network | undefined
  /** Both are as they were wanted last, as far as is known. */
  isWhole: boolean
  /** Why it could not be built, in a sentence. */
  obstacle?: string | undefined
  /** Why another pool was refused, in a sentence. */
  refusal?: string | undefined
}

type Peers = ReadonlyMap<string, AgentPeer>

const policyOf = ({ ipv4, ipv6, filters, hasPriority, expiresAt }: AgentPeer): PeerPolicy => ({
  ipv4,
  ipv6,
  filters,
  hasPriority,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
})
const policiesOf = (peers: readonly AgentPeer[]) => peers.map(policyOf)
const withProbes = ({ probePeers }: Plane, peers: Peers) => [...peers.values(), ...probePeers]
/** The shop's own has no address, and so no rules. */
const devicePeersOf = (plane: Plane, { shopPeer }: AgentNode, peers: Peers): DevicePeer[] => [
  ...withProbes(plane, peers),
  ...(shopPeer ? [shopPeer] : []),
]

/** Only if they differ: telling the kernel the same key again would end all sessions. */
const configure = async (
  { privateKey }: Plane,
  driver: Driver,
  node: AgentNode,
  found: DeviceReading,
): Promise<number> => {
  const hasParameters = isDeepStrictEqual(found.parameters, driver.parameters)
  if (found.privateKey === privateKey && found.listenPort === node.listenPort && hasParameters) return 0
  await withPort(node.listenPort, () => driver.configure(privateKey, node.listenPort))
  return 1
}

const isUp = ({ isWhole, interfaceName }: Plane, node: AgentNode | undefined): boolean =>
  isWhole && node !== undefined && isLinkUp(interfaceName, node)

/** A port that another program has is left to it: the shop sees that nothing answers there, and names it in no file. */
const withSecondPort = async ({ log }: Plane, node: AgentNode): Promise<AgentNode> => {
  const { secondPort, listenPort, oldPorts } = node
  if (secondPort === undefined || [listenPort, ...oldPorts].includes(secondPort)) return node
  if (await isFree(secondPort)) return { ...node, oldPorts: [...oldPorts, secondPort] }
  log.warn({ port: secondPort }, 'Another program has the second port, which is not served')
  return node
}

/** From nothing, or from whatever is there. No peer comes before the rules that hold for it. */
const buildAll = async (plane: Plane, node: AgentNode, peers: Peers): Promise<void> => {
  await requireIpv6(plane.interfaceName)
  if (await restoreName(plane.interfaceName, node))
    plane.log.warn('The interface had been given another name')
  const driver = await plane.openDriver(node.obfuscation)
  plane.driver = driver
  checkPeerCount(driver.name, peers.size)
  const found = await driver.read()
  const { gone, set } = planDifference(devicePeersOf(plane, node, peers), found.peers)
  await changePeers(driver, gone, [])
  await configure(plane, driver, node, found)
  const { tunnelMtu } = await plane.surroundings.look(node)
  await withPort(node.listenPort, () => setUpLink(plane.interfaceName, node, tunnelMtu))
  plane.network ??= plane.createNetwork(await withSecondPort(plane, node))
  await plane.network.ensure(policiesOf(withProbes(plane, peers)))
  await changePeers(driver, [], set)
  plane.metrics.driver(driver.name)
  plane.isWhole = true
  const counts = { peers: peers.size, set: set.length, removed: gone.length }
  plane.log.info({ driver: driver.name, ...counts }, 'The interface is set up')
}

const build = async (plane: Plane, node: AgentNode, peers: Peers): Promise<void> => {
  plane.isWhole = false
  try {
    await buildAll(plane, node, peers)
    plane.obstacle = undefined
  } catch (error) {
    const isKnown = error instanceof Obstacle
    plane.obstacle = isKnown ? error.message : "The tunnel cannot be set up: the agent's log says why."
    throw error
  }
}

/** Those who are served go on as they are. */
const checkPool = async (plane: Plane, node: AgentNode): Promise<void> => {
  plane.refusal = undefined
  try {
    await plane.surroundings.checkPool(node)
  } catch (error) {
    plane.refusal = (error as Error).message
    throw error
  }
}

/** The usual way: what goes is shut out first, and what comes is let in only once there are rules for it. */
const change = async (
  plane: Plane,
  set: readonly AgentPeer[],
  { keys, addresses }: ReturnType<typeof planRemoval>,
): Promise<void> => {
  const { driver, network } = plane
  if (!driver || !network) throw new Error('There is no interface yet')
  try {
    await changePeers(driver, keys, [])
    for (let i = 0; i < Math.max(set.length, addresses.length); i += PEERS_AT_ONCE)
      await network.apply(
        set.slice(i, i + PEERS_AT_ONCE).map(policyOf),
        addresses.slice(i, i + PEERS_AT_ONCE),
      )
    await changePeers(driver, [], set)
  } catch (error) {
    // Not before: a change that is under way is no fault of the node's.
    plane.isWhole = false
    throw error
  }
}

const replaceShopPeer = async (
  plane: Plane,
  before: ShopPeer | undefined,
  next: ShopPeer | undefined,
): Promise<void> => {
  try {
    await plane.driver?.change(before ? [before.publicKey] : [], next ? [next] : [])
  } catch (error) {
    plane.isWhole = false
    throw error
  }
}

/** What is around the node may change at any time. */
const followSurroundings = async (
  { surroundings, interfaceName, network, log }: Plane,
  node: AgentNode | undefined,
): Promise<void> => {
  const { tunnelMtu: mtu } = await surroundings.look(node)
  if (await ensureLinkMtu(interfaceName, mtu)) log.warn({ mtu }, 'The MTU of the tunnel is another now')
  await network?.followSurroundings()
}

/** Compares all of it, and puts right what someone else changed. */
const heal = async (plane: Plane, node: AgentNode, peers: Peers): Promise<void> => {
  const { driver, network, metrics, log } = plane
  if (!driver || !network || !isUp(plane, node)) return
  const found = await driver.read()
  const { gone, set } = planDifference(devicePeersOf(plane, node, peers), found.peers)
  await changePeers(driver, gone, [])
  const healed = await network.heal(policiesOf(withProbes(plane, peers)))
  await changePeers(driver, [], set)
  const count = gone.length + set.length + (await configure(plane, driver, node, found))
  metrics.healed(count + healed.length)
  if (count > 0) log.warn({ count }, 'The interface or its peers had been changed, and were repaired')
  for (const found of healed) log.warn({ found }, 'The network had been changed, and was repaired')
}

/** What they had open is forgotten. Without an interface there is nothing: it is made without them. */
const shutOut = async ({ network }: Plane, peers: readonly AgentPeer[]): Promise<void> => {
  if (network) await inBatches(peers, (batch) => network.apply([], batch))
}

/** Takes peers away and sets them again, so that WireGuard forgets where they were. */
const forget = async (plane: Plane, peers: readonly AgentPeer[]): Promise<void> => {
  try {
    await inBatches(peers, async (batch) =>
      plane.driver?.change(
        batch.map(({ publicKey }) => publicKey),
        batch,
      ),
    )
  } catch (error) {
    // Some may be gone and not set again.
    plane.isWhole = false
    throw error
  }
}

/** The interface and what is around it. It is not made for calls at the same time: the reconciler's mutex is around them. */
export const createDataPlane = (parts: Parts) => {
  const plane: Plane = { ...parts, isWhole: false }
  return {
    isUp: (node: AgentNode | undefined) => isUp(plane, node),
    isWhole: () => plane.isWhole,
    /** What is missing of what customers pay for, while they are served all the same. */
    faults: () => [
      ...[plane.obstacle, plane.refusal].filter((fault) => fault !== undefined),
      ...plane.surroundings.now().faults,
      ...(plane.network?.faults() ?? []),
    ],
    /** Refused before anything is changed: those who are served go on as they are. */
    checkCapacity: (count: number) => {
      if (plane.driver) checkPeerCount(plane.driver.name, count)
    },
    /** Refuses a pool that is new here and used on this server for something else. */
    checkPool: (node: AgentNode) => checkPool(plane, node),
    clearRefusal: (): void => {
      plane.refusal = undefined
    },
    build: (node: AgentNode, peers: Peers) => build(plane, node, peers),
    change: (set: readonly AgentPeer[], removal: ReturnType<typeof planRemoval>) =>
      change(plane, set, removal),
    replaceShopPeer: (before: ShopPeer | undefined, next: ShopPeer | undefined) =>
      replaceShopPeer(plane, before, next),
    shutOut: (peers: readonly AgentPeer[]) => shutOut(plane, peers),
    /** The node is another than it was: its network is made anew with the next `build`. */
    discardNetwork: async (): Promise<void> => {
      plane.isWhole = false
      await plane.network?.stop()
      plane.network = undefined
    },
    /** False: the rules are not those that were loaded. A look that costs little, however many customers there are. */
    areRulesIntact: async (): Promise<boolean> => (await plane.network?.areRulesIntact()) ?? false,
    followSurroundings: (node: AgentNode | undefined) => followSurroundings(plane, node),
    /** Tries again what failed and could be done without. */
    retryFailed: async (): Promise<void> => plane.network?.retryFailed(),
    heal: (node: AgentNode, peers: Peers) => heal(plane, node, peers),
    read: async (node: AgentNode | undefined): Promise<DeviceReading | undefined> =>
      isUp(plane, node) ? await plane.driver?.read() : undefined,
    forget: (peers: readonly AgentPeer[]) => forget(plane, peers),
    stop: async () => {
      plane.isWhole = false
      await plane.network?.stop()
      return plane.driver?.name
    },
  }
}

export type DataPlane = ReturnType<typeof createDataPlane>
