import { isDeepStrictEqual } from 'node:util'
import type { AgentNode } from '@hedgerow/contract/agents'
import type { FilterList } from '@hedgerow/domain/filters'
import type { Logger } from 'pino'
import { createFirewall } from '#network/firewall.ts'
import { createGuard } from '#network/guard.ts'
import { createHeldPorts } from '#network/held-ports.ts'
import { ensureKernelSettings } from '#network/kernel-settings.ts'
import type { Network } from '#network/network.ts'
import { ensureOwnAddresses, ensureProbeRoutes, PROBE_IPV4, PROBE_IPV6 } from '#network/own-addresses.ts'
import { createPages } from '#network/page.ts'
import { createResolver } from '#network/resolver.ts'
import type { Stub } from '#network/resolver-config.ts'
import { createShaper } from '#network/shaper.ts'
import type { Surroundings } from '#network/surroundings.ts'
import { createMutex } from '#runtime/mutex.ts'
import { Obstacle } from '#runtime/obstacle.ts'

export type NetworkOptions = {
  interfaceName: string
  surroundings: () => Surroundings
  node: Pick<AgentNode, 'name' | 'ipv4' | 'ipv6' | 'listenPort' | 'oldPorts' | 'shop'>
  bandwidthMbit: number
  prioritySharePercent: number
  listsDir: string
  /** Gets how many names each list has. */
  listNames?: Map<FilterList, number>
  /** Throws an Obstacle for an uplink that is shaped by another program. */
  claimUplink?: (uplink: string) => Promise<void>
  stateDir: string
  log: Logger
  /** The time by which connections end. */
  now?: () => number
  /** The version before this one may come back any time, with a resolver of its own. */
  isOnTrial?: boolean
  /** For networks without the internet. */
  stubs?: readonly Stub[]
}

/** Obstacles are in words for operators, other errors are in the log. */
const faultOf = (part: string, error: Error | undefined): string =>
  error instanceof Obstacle ? `${part} does not work: ${error.message}.` : `${part} does not work.`

/** Parts that customers can be served without: when one fails, everything else stays as it was. */
const createOptionalParts = (log: Logger) => {
  const broken = new Map<string, Error>()
  return {
    broken: broken as ReadonlyMap<string, Error>,
    attempt: async <T>(part: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        const done = await work()
        broken.delete(part)
        return done
      } catch (error) {
        if (broken.get(part)?.message !== (error as Error).message)
          log.error({ part, err: error }, 'A part of the network does not work')
        broken.set(part, error as Error)
        return undefined
      }
    },
  }
}

export const createNetwork = (options: NetworkOptions): Network => {
  const {
    interfaceName,
    surroundings,
    node,
    listsDir,
    listNames,
    stateDir,
    log,
    now = Date.now,
    isOnTrial = false,
    stubs = [],
  } = options
  const { ipv4, ipv6, listenPort, oldPorts } = node
  const firewall = createFirewall({ interfaceName, surroundings, ipv4, ipv6, listenPort, oldPorts, now, log })
  const guard = createGuard({ interfaceName, ipv4, ipv6, stateDir })
  const shaper = createShaper({ ...options, uplinks: () => surroundings().uplinks })
  const resolver = createResolver({
    listsDir,
    listNames,
    stateDir,
    networks: [ipv4, ipv6, PROBE_IPV4, PROBE_IPV6],
    stubs,
    endsWithAgent: isOnTrial,
    log,
  })
  const pages = createPages(node, log)
  const heldPorts = createHeldPorts(oldPorts)
  const { broken, attempt } = createOptionalParts(log)
  const exclusively = createMutex()
  let uplinks: readonly string[] = []

  /** All but the firewall, which comes first: nothing is forwarded before its rules are there. */
  const ensureRest = async (): Promise<string[]> => {
    uplinks = surroundings().uplinks
    const settings = await ensureKernelSettings(interfaceName, uplinks)
    const addresses = await ensureOwnAddresses()
    await ensureProbeRoutes(interfaceName)
    const wasUnguarded = await attempt('The guard of the firewall', guard.ensure)
    const shaped = (await attempt('The shaper', shaper.ensure)) ?? []
    await attempt('The port of older files', heldPorts.ensure)
    const wasPageDead = await attempt('The page for expired connections', pages.ensure)
    return [
      ...settings.map((setting) => `net/${setting} was changed`),
      ...(addresses > 0 ? [`${addresses} of the resolver’s addresses were missing`] : []),
      ...(wasUnguarded ? ['The guard of the firewall was not there'] : []),
      ...shaped.map((device) => `The shaper on ${device} was missing or changed`),
      ...(wasPageDead ? ['The page for expired connections was not there'] : []),
    ]
  }

  return {
    ensure: (policies) =>
      exclusively(async () => {
        await firewall.ensure(policies)
        await ensureRest()
        // Reading long lists takes seconds, which nothing else has to wait for.
        resolver.start()
      }),
    apply: firewall.apply,
    areRulesIntact: firewall.areRulesIntact,
    followSurroundings: () =>
      exclusively(async () => {
        await firewall.followSurroundings()
        if (isDeepStrictEqual(uplinks, surroundings().uplinks)) return
        await ensureRest()
        log.warn({ uplinks }, 'The interfaces to the internet are others now')
      }),
    faults: () => [
      ...[...broken].map(([part, error]) => faultOf(part, error)),
      ...(resolver.isServing() ? [] : [faultOf('The resolver', resolver.failure())]),
    ],
    retryFailed: () =>
      exclusively(async () => {
        if (broken.size === 0 && (await guard.isThere())) return
        await ensureRest()
        const [[part, error] = []] = broken
        if (part) throw new Error(`${part} does not work: ${error?.message}`)
      }),
    heal: (policies) =>
      exclusively(async () => {
        const healed = [...(await firewall.heal(policies)), ...(await ensureRest())]
        if (await resolver.heal()) healed.push('The resolver was dead')
        return healed
      }),
    stop: async () => {
      heldPorts.stop()
      await Promise.all([resolver.stop(), pages.stop()])
    },
  }
}
