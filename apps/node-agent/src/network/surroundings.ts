import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AgentNode } from '@hedgerow/contract/agents'
import type { Pool } from '@hedgerow/domain/addresses'
import { neighboursOf } from '#network/neighbours.ts'
import { poolConflict } from '#network/pool-conflict.ts'
import { readRoutes, waysOut } from '#network/routes.ts'
import { settledText } from '#network/settled.ts'
import { Obstacle } from '#runtime/obstacle.ts'

/** What is around the node, which may change at any time. */
export type Surroundings = {
  /** Interfaces to the internet: IPv4 and IPv6 may have different ones. */
  uplinks: readonly string[]
  /** Networks that are reached without a router. */
  neighbours: readonly string[]
  /** Of the tunnel, so that what WireGuard makes of a packet is no larger than what every uplink takes. */
  tunnelMtu: number
  /** What keeps customers from the internet, each in a sentence. */
  faults: readonly string[]
}

type Options = { interfaceName: string; uplink?: string | undefined; mtu?: number | undefined }

/** WireGuard's header around a packet, over IPv6. An obfuscated node puts some bytes more before it. */
const AROUND = 80
const AROUND_IN_IPV4 = 60
/** Larger packets pass in the provider's own network only. */
const INTERNET_MTU = 1500
/** With less an interface has no IPv6. */
const LEAST_MTU = 1280

export const tunnelMtuFor = (uplinkMtus: readonly number[], padding = 0): number =>
  Math.max(Math.min(INTERNET_MTU, ...uplinkMtus) - AROUND - padding, LEAST_MTU)

const readMtu = (path: string): Promise<number> => readFile(path, 'utf8').then(Number, () => INTERNET_MTU)

const mtusOf = (uplinks: readonly string[]): Promise<number[]> =>
  Promise.all(uplinks.map((uplink) => readMtu(`/sys/class/net/${uplink}/mtu`)))
/** A router may have announced a smaller one. */
const ipv6MtusOf = (uplinks: readonly string[]): Promise<number[]> =>
  Promise.all(uplinks.map((uplink) => readMtu(`/proc/sys/net/ipv6/conf/${uplink}/mtu`)))

/** Pieces of packets are lost in many networks, so that a tunnel whose packets are sent in pieces carries no pages. */
export const tooSmall = (tunnelMtu: number, uplinkMtus: readonly number[], padding = 0): string[] => {
  const [least, needed] = [Math.min(INTERNET_MTU, ...uplinkMtus), tunnelMtu + AROUND_IN_IPV4 + padding]
  return least < needed
    ? [
        `The way to the internet carries packets of ${least} bytes, and a tunnel with an MTU of ${tunnelMtu} needs ${needed}: give the interface or route a larger MTU${tunnelMtu > LEAST_MTU ? ', or set a smaller AGENT_MTU' : ''}.`,
      ]
    : []
}

const NO_WAY = 'This server has no default route, so that customers reach nothing.'
const NO_WAY_IPV4 = 'This server has no default route for IPv4, so that customers reach nothing over IPv4.'
const NO_WAY_IPV6 = 'The default route for IPv6 is gone, so that customers reach nothing over IPv6.'

/** Not every server has IPv6, so that it is missed only where it was. */
const missingWays = (ipv4: readonly string[], ipv6: readonly string[], hadIpv6: boolean): string[] => {
  if (ipv4.length === 0) return [ipv6.length === 0 ? NO_WAY : NO_WAY_IPV4]
  return hadIpv6 && ipv6.length === 0 ? [NO_WAY_IPV6] : []
}

/** Looks what is around the node, and knows what was seen last. What the server's own settings say wins over the shop. */
export const createSurroundings = ({ interfaceName, uplink, mtu }: Options) => {
  let seen: Surroundings = { uplinks: [], neighbours: [], tunnelMtu: mtu ?? tunnelMtuFor([]), faults: [] }
  let hadIpv6 = false

  const look = async (node?: Pick<AgentNode, 'mtu' | 'obfuscation'>): Promise<Surroundings> => {
    const padding = node?.obfuscation?.s4 ?? 0
    const routes = await readRoutes()
    const [ipv4, ipv6] = [waysOut(routes.ipv4, interfaceName), waysOut(routes.ipv6, interfaceName)]
    const found = [...new Set([...ipv4.devices, ...ipv6.devices])].sort()
    const uplinks = uplink === undefined ? found : [uplink]
    const mtus = [...ipv4.mtus, ...(await mtusOf(uplinks))]
    const tunnelMtu =
      mtu ?? node?.mtu ?? tunnelMtuFor([...mtus, ...ipv6.mtus, ...(await ipv6MtusOf(uplinks))], padding)
    const isMissing = uplink !== undefined && !existsSync(`/sys/class/net/${uplink}`)
    hadIpv6 ||= ipv6.devices.length > 0
    seen = {
      uplinks,
      neighbours: neighboursOf([...routes.ipv4, ...routes.ipv6], interfaceName),
      tunnelMtu,
      faults: [
        ...(isMissing ? [`There is no interface ${uplink}, which AGENT_UPLINK names.`] : []),
        ...missingWays(ipv4.devices, ipv6.devices, hadIpv6),
        ...tooSmall(tunnelMtu, mtus, padding),
      ],
    }
    return seen
  }
  return {
    look,
    now: (): Surroundings => seen,
    /** Refuses a pool that this server uses for something else. */
    checkPool: async (pool: Pool): Promise<void> => {
      const conflict = poolConflict(pool, await readRoutes(), interfaceName)
      if (conflict) throw new Obstacle(conflict)
    },
  }
}

export type SurroundingsWatch = ReturnType<typeof createSurroundings>

const linesOf = (table: string, set: string, elements: readonly string[]): string =>
  `flush set inet ${table} ${set}\n${
    elements.length > 0 ? `add element inet ${table} ${set} { ${elements.join(', ')} }\n` : ''
  }`

/** Puts these in the place of those that the rules knew. */
export const surroundingsText = (
  table: string,
  { uplinks, neighbours }: Pick<Surroundings, 'uplinks' | 'neighbours'>,
): string => {
  const isIpv6 = (network: string) => network.includes(':')
  return [
    linesOf(
      table,
      'uplinks',
      uplinks.map((name) => `"${name}"`),
    ),
    linesOf(
      table,
      'neighbours4',
      neighbours.filter((network) => !isIpv6(network)),
    ),
    linesOf(table, 'neighbours6', neighbours.filter(isIpv6)),
    settledText(table, uplinks),
  ].join('')
}
