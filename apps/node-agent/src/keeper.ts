import { isDeepStrictEqual } from 'node:util'
import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import {
  type DevicePeer,
  type DeviceReading,
  type Driver,
  inBatches,
  PEERS_AT_ONCE,
} from './device/driver.ts'
import { isLinkUp, setUpLink } from './device/link.ts'
import { planDifference } from './device/plan-difference.ts'
import { checkPeerCount } from './device/wireguard-go.ts'
import { createExpiry, type Due, isToBeRemoved } from './expiry.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Network, PeerPolicy } from './network/network.ts'
import type { DesiredState } from './state/desired-state.ts'
import { createTurns } from './turns.ts'

export type Wanted = {
  node: AgentNode
  set: readonly AgentPeer[]
  gone: readonly string[]
  revision?: number
}

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

  const change = async (to: Driver, gone: readonly string[], set: readonly DevicePeer[]) => {
    await inBatches(gone, (batch) => to.change(batch, []))
    await inBatches(set, (batch) => to.change([], batch))
  }

  /** Only if they differ: telling the kernel the same key again would end all sessions. */
  const configure = async (to: Driver, node: AgentNode, found: DeviceReading): Promise<number> => {
    if (found.privateKey === privateKey && found.listenPort === node.listenPort) return 0
    await to.configure(privateKey, node.listenPort)
    return 1
  }
  /** Puts right what differs, without touching what does not. */
  const healPeers = async (to: Driver, found: DeviceReading): Promise<number> => {
    const { gone, set } = planDifference(state.peers.values(), found.peers)
    await change(to, gone, set)
    return gone.length + set.length
  }

  /** From nothing, or from whatever is there. No peer comes before the rules that hold for it. */
  const make = async (): Promise<void> => {
    const node = state.node()
    if (!node || isStopped) return
    isWhole = false
    driver = await parts.openDriver()
    checkPeerCount(driver.name, state.peers.size)
    const found = await driver.read()
    await configure(driver, node, found)
    await setUpLink(interfaceName, node)
    network ??= parts.createNetwork(node)
    await network.ensure(policies())
    const different = await healPeers(driver, found)
    metrics.driver(driver.name)
    isWhole = true
    log.info({ driver: driver.name, peers: state.peers.size, different }, 'The interface is as it should be')
  }

  const keep = async (node: AgentNode, set: readonly AgentPeer[], gone: readonly string[]) => {
    const isNew = !isDeepStrictEqual(node, state.node())
    await state.keep({ ...(isNew ? { node } : {}), set, gone })
    expiry.plan(set)
  }

  const applyDifference = async ({ node, set, gone }: Wanted): Promise<void> => {
    if (!driver || !network) throw new Error('There is no interface yet')
    const before = [...gone, ...set.map(({ id }) => id)].flatMap((id) => state.peers.get(id) ?? [])
    const [keys, addresses] = [
      new Set(set.map(({ publicKey }) => publicKey)),
      new Set(set.map(({ ipv4 }) => ipv4)),
    ]
    isWhole = false
    await change(
      driver,
      before.map(({ publicKey }) => publicKey).filter((key) => !keys.has(key)),
      [],
    )
    const free = before.filter(({ ipv4 }) => !addresses.has(ipv4)).map(({ ipv4, ipv6 }) => ({ ipv4, ipv6 }))
    for (let i = 0; i < Math.max(set.length, free.length); i += PEERS_AT_ONCE)
      await network.apply(set.slice(i, i + PEERS_AT_ONCE).map(policyOf), free.slice(i, i + PEERS_AT_ONCE))
    await change(driver, [], set)
    isWhole = true
    await keep(node, set, gone)
  }

  const remakeWith = async ({ node, set, gone }: Wanted): Promise<void> => {
    if (!isDeepStrictEqual(node, state.node())) {
      await network?.stop()
      network = undefined
    }
    await keep(node, set, gone)
    await make()
  }

  const apply = async (wanted: Wanted): Promise<void> => {
    const now = Date.now()
    const late = wanted.set.filter((peer) => isToBeRemoved(peer, now)).map(({ id }) => id)
    const change = {
      node: wanted.node,
      set: wanted.set.filter(
        (peer) => !isToBeRemoved(peer, now) && !isDeepStrictEqual(peer, state.peers.get(peer.id)),
      ),
      gone: [...wanted.gone, ...late].filter((id) => state.peers.has(id)),
    }
    // Refused before anything is changed: those who are served go on as they are.
    const added = change.set.filter(({ id }) => !state.peers.has(id)).length
    if (driver) checkPeerCount(driver.name, state.peers.size + added - change.gone.length)
    const isUsual = isWhole && isDeepStrictEqual(wanted.node, state.node())
    if (!isUsual) await remakeWith(change)
    else if (change.set.length + change.gone.length > 0) await applyDifference(change)
    metrics.applied(change.set.length + change.gone.length)
    if (wanted.revision !== undefined && wanted.revision !== state.revision())
      await state.keep({ revision: wanted.revision })
  }

  const onDue = ({ expired, removed }: Due) =>
    inTurn(async () => {
      metrics.expired(expired)
      const node = state.node()
      if (node && removed.length > 0) await apply({ node, set: [], gone: removed })
    }).catch((error) => {
      log.error({ err: error }, 'What has expired could not be removed; it is tried again')
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
        const peers = (await configure(driver, node, found)) + (await healPeers(driver, found))
        const words = await network.heal(policies())
        metrics.healed(peers + words.length)
        if (peers > 0) log.warn({ peers }, 'The interface or its peers were not as they should be')
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
