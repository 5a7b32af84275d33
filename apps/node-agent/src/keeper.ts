import { isDeepStrictEqual } from 'node:util'
import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import { changePeers, type DeviceReading, type Driver, inBatches, PEERS_AT_ONCE } from './device/driver.ts'
import { isLinkUp, setUpLink } from './device/link.ts'
import { planDifference } from './device/plan-difference.ts'
import { checkPeerCount } from './device/wireguard-go.ts'
import { createExpiry, type Due, isToBeRemoved } from './expiry.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Network, PeerPolicy } from './network/network.ts'
import { growthOf, type PeerChange, planChange, planRemoval } from './plan-change.ts'
import type { DesiredState } from './state/desired-state.ts'
import { createTurns } from './turns.ts'

export type Wanted = PeerChange & { node: AgentNode; revision?: number }

type Parts = {
  interfaceName: string
  privateKey: string
  state: DesiredState
  openDriver: () => Promise<Driver>
  createNetwork: (node: AgentNode) => Network
  metrics: Metrics
  log: Log
}

const policyOf = ({ ipv4, ipv6, filters, hasPriority, expiresAt }: AgentPeer): PeerPolicy => ({
  ipv4,
  ipv6,
  filters,
  hasPriority,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
})

/** Keeps device and network equal to the desired state. Everything that changes them happens here, one after the other. */
export const createKeeper = ({ interfaceName, privateKey, state, metrics, log, ...parts }: Parts) => {
  const inTurn = createTurns()
  let driver: Driver | undefined
  let network: Network | undefined
  /** Both are as the state wants them, as far as is known. */
  let isWhole = false
  let isStopped = false

  const policies = () => [...state.peers.values()].map(policyOf)

  /** Only if they differ: telling the kernel the same key again would end all sessions. */
  const configure = async (to: Driver, node: AgentNode, found: DeviceReading): Promise<number> => {
    if (found.privateKey === privateKey && found.listenPort === node.listenPort) return 0
    await to.configure(privateKey, node.listenPort)
    return 1
  }
  /** From nothing, or from whatever is there. No peer comes before the rules that hold for it. */
  const make = async (): Promise<void> => {
    const node = state.node()
    if (!node || isStopped) return
    isWhole = false
    driver = await parts.openDriver()
    checkPeerCount(driver.name, state.peers.size)
    const found = await driver.read()
    const { gone, set } = planDifference(state.peers.values(), found.peers)
    await changePeers(driver, gone, [])
    await configure(driver, node, found)
    await setUpLink(interfaceName, node)
    network ??= parts.createNetwork(node)
    await network.ensure(policies())
    await changePeers(driver, [], set)
    metrics.driver(driver.name)
    isWhole = true
    const counts = { peers: state.peers.size, set: set.length, removed: gone.length }
    log.info({ driver: driver.name, ...counts }, 'The interface is as it should be')
  }

  const keep = async ({ node, set, gone }: Wanted): Promise<void> => {
    const isNew = !isDeepStrictEqual(node, state.node())
    try {
      await state.keep({ ...(isNew ? { node } : {}), set, gone })
    } finally {
      // Known, even if it could not be written.
      expiry.plan(set)
    }
  }

  /** The usual way: what goes is shut out first, and nobody is let in before there are rules for them. */
  const applyDifference = async (wanted: Wanted): Promise<void> => {
    if (!driver || !network) throw new Error('There is no interface yet')
    const { set } = wanted
    const { keys, addresses } = planRemoval(wanted, state.peers)
    isWhole = false
    await changePeers(driver, keys, [])
    for (let i = 0; i < Math.max(set.length, addresses.length); i += PEERS_AT_ONCE)
      await network.apply(
        set.slice(i, i + PEERS_AT_ONCE).map(policyOf),
        addresses.slice(i, i + PEERS_AT_ONCE),
      )
    await changePeers(driver, [], set)
    isWhole = true
    await keep(wanted)
  }

  /** When something is missing, or the node itself has changed. */
  const remakeWith = async (wanted: Wanted): Promise<void> => {
    if (!isDeepStrictEqual(wanted.node, state.node())) {
      await network?.stop()
      network = undefined
    }
    await keep(wanted)
    await make()
  }

  const apply = async (wanted: Wanted): Promise<void> => {
    const change = { node: wanted.node, ...planChange(wanted, state.peers, Date.now()) }
    const count = change.set.length + change.gone.length
    // Refused before anything is changed: those who are served go on as they are.
    const growth = growthOf(change, state.peers)
    if (driver && growth > 0) checkPeerCount(driver.name, state.peers.size + growth)
    const isUsual = isWhole && isDeepStrictEqual(wanted.node, state.node())
    if (!isUsual) await remakeWith(change)
    else if (count > 0) await applyDifference(change)
    metrics.applied(count)
    if (wanted.revision !== undefined && wanted.revision !== state.revision())
      await state.keep({ revision: wanted.revision })
  }

  const onDue = ({ expired, removed }: Due) =>
    inTurn(async () => {
      metrics.expired(expired)
      const node = state.node()
      if (node && removed.length > 0) await apply({ node, set: [], gone: removed })
    }).catch((error) => {
      log.error(`What has expired could not be removed, and is tried again: ${error.message}`)
      throw error
    })
  const expiry = createExpiry(state.peers, onDue)

  const isUp = (): boolean => {
    const node = state.node()
    return isWhole && node !== undefined && isLinkUp(interfaceName, node)
  }

  return {
    isUp,
    apply: (wanted: Wanted) => inTurn(() => apply(wanted)),
    /** At the start: what ended while nobody looked goes before anything is made. */
    start: () =>
      inTurn(async () => {
        const now = Date.now()
        const late = [...state.peers.values()].filter((peer) => isToBeRemoved(peer, now))
        await state.keep({ gone: late.map(({ id }) => id) })
        expiry.plan(state.peers.values())
        await make()
      }),
    /** Makes everything again if something is missing. */
    ensure: () => inTurn(async () => (isUp() ? undefined : await make())),
    heal: () =>
      inTurn(async () => {
        const node = state.node()
        if (!driver || !network || !node || !isUp()) return
        const found = await driver.read()
        const { gone, set } = planDifference(state.peers.values(), found.peers)
        await changePeers(driver, gone, set)
        const count = gone.length + set.length + (await configure(driver, node, found))
        const words = await network.heal(policies())
        metrics.healed(count + words.length)
        if (count > 0) log.warn({ count }, 'The interface or its peers were not as they should be')
        for (const word of words) log.warn(`The network was not as it should be: ${word}`)
      }),
    read: (): Promise<DeviceReading | undefined> =>
      inTurn(async () => (isUp() ? await driver?.read() : undefined)),
    /** Takes peers away and sets them again, so that WireGuard forgets where they were. */
    forget: (keys: readonly string[]) =>
      inTurn(async () => {
        const peers = keys.flatMap((key) => state.peers.get(state.idOfKey(key) ?? '') ?? [])
        await inBatches(peers, async (batch) =>
          driver?.change(
            batch.map(({ publicKey }) => publicKey),
            batch,
          ),
        )
      }),
    stop: async () => {
      isStopped = true
      expiry.stop()
      await inTurn(async () => {
        isWhole = false
        await network?.stop()
      })
      return driver?.name
    },
  }
}

export type Keeper = ReturnType<typeof createKeeper>
