import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import { changePeers, type DeviceReading, type Driver, inBatches, PEERS_AT_ONCE } from './device/driver.ts'
import { isLinkUp, setUpLink } from './device/link.ts'
import { planDifference } from './device/plan-difference.ts'
import { checkPeerCount } from './device/wireguard-go.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Network, PeerPolicy } from './network/network.ts'
import type { planRemoval } from './plan-change.ts'

type Parts = {
  interfaceName: string
  privateKey: string
  openDriver: () => Promise<Driver>
  createNetwork: (node: AgentNode) => Network
  metrics: Metrics
  log: Log
}

type Peers = ReadonlyMap<string, AgentPeer>

const policyOf = ({ ipv4, ipv6, filters, hasPriority, expiresAt }: AgentPeer): PeerPolicy => ({
  ipv4,
  ipv6,
  filters,
  hasPriority,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
})
const policiesOf = (peers: Peers) => [...peers.values()].map(policyOf)

/** The interface and what is around it. Whoever calls sees to it that one thing happens after the other. */
export const createServing = ({ interfaceName, privateKey, metrics, log, ...parts }: Parts) => {
  let driver: Driver | undefined
  let network: Network | undefined
  /** Both are as they were wanted last, as far as is known. */
  let isWhole = false

  /** Only if they differ: telling the kernel the same key again would end all sessions. */
  const configure = async (to: Driver, node: AgentNode, found: DeviceReading): Promise<number> => {
    if (found.privateKey === privateKey && found.listenPort === node.listenPort) return 0
    await to.configure(privateKey, node.listenPort)
    return 1
  }
  const isUp = (node: AgentNode | undefined): boolean =>
    isWhole && node !== undefined && isLinkUp(interfaceName, node)

  return {
    isUp,
    isWhole: () => isWhole,
    /** What is missing of what customers pay for, while they are served all the same. */
    faults: () => network?.faults() ?? [],
    /** Refused before anything is changed: those who are served go on as they are. */
    checkCapacity: (count: number) => {
      if (driver) checkPeerCount(driver.name, count)
    },
    /** From nothing, or from whatever is there. No peer comes before the rules that hold for it. */
    make: async (node: AgentNode, peers: Peers): Promise<void> => {
      isWhole = false
      driver = await parts.openDriver()
      checkPeerCount(driver.name, peers.size)
      const found = await driver.read()
      const { gone, set } = planDifference(peers.values(), found.peers)
      await changePeers(driver, gone, [])
      await configure(driver, node, found)
      await setUpLink(interfaceName, node)
      network ??= parts.createNetwork(node)
      await network.ensure(policiesOf(peers))
      await changePeers(driver, [], set)
      metrics.driver(driver.name)
      isWhole = true
      const counts = { peers: peers.size, set: set.length, removed: gone.length }
      log.info({ driver: driver.name, ...counts }, 'The interface is as it should be')
    },
    /** The usual way: what goes is shut out first, and nobody is let in before there are rules for them. */
    change: async (set: readonly AgentPeer[], { keys, addresses }: ReturnType<typeof planRemoval>) => {
      if (!driver || !network) throw new Error('There is no interface yet')
      isWhole = false
      await changePeers(driver, keys, [])
      for (let i = 0; i < Math.max(set.length, addresses.length); i += PEERS_AT_ONCE)
        await network.apply(
          set.slice(i, i + PEERS_AT_ONCE).map(policyOf),
          addresses.slice(i, i + PEERS_AT_ONCE),
        )
      await changePeers(driver, [], set)
      isWhole = true
    },
    /** The node is another than it was: its network is made anew with the next `make`. */
    renew: async (): Promise<void> => {
      isWhole = false
      await network?.stop()
      network = undefined
    },
    /** False: the rules are not those that were loaded. A look that costs little, however many customers there are. */
    isGuarded: async (): Promise<boolean> => (await network?.isGuarding()) ?? false,
    /** Tries again what failed and could be done without. */
    mend: async (): Promise<void> => network?.mend(),
    /** Compares all of it, and puts right what somebody else changed. */
    heal: async (node: AgentNode, peers: Peers): Promise<void> => {
      if (!driver || !network || !isUp(node)) return
      const found = await driver.read()
      const { gone, set } = planDifference(peers.values(), found.peers)
      await changePeers(driver, gone, [])
      const words = await network.heal(policiesOf(peers))
      await changePeers(driver, [], set)
      const count = gone.length + set.length + (await configure(driver, node, found))
      metrics.healed(count + words.length)
      if (count > 0) log.warn({ count }, 'The interface or its peers were not as they should be')
      for (const word of words) log.warn(`The network was not as it should be: ${word}`)
    },
    read: async (node: AgentNode | undefined): Promise<DeviceReading | undefined> =>
      isUp(node) ? await driver?.read() : undefined,
    /** Takes peers away and sets them again, so that WireGuard forgets where they were. */
    forget: async (peers: readonly AgentPeer[]): Promise<void> => {
      try {
        await inBatches(peers, async (batch) =>
          driver?.change(
            batch.map(({ publicKey }) => publicKey),
            batch,
          ),
        )
      } catch (error) {
        // Some may be gone and not set again.
        isWhole = false
        throw error
      }
    },
    stop: async () => {
      isWhole = false
      await network?.stop()
      return driver?.name
    },
  }
}

export type Serving = ReturnType<typeof createServing>
