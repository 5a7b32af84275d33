import { runCommand } from '#runtime/run-command.ts'

type Hop = { dev?: string }
export type Route = Hop & {
  dst: string
  type?: string
  table?: string
  gateway?: string
  via?: object
  nexthops?: Hop[]
  metrics?: { mtu?: number }[]
}
export type Routes = { ipv4: readonly Route[]; ipv6: readonly Route[] }

/** Shorter ones are a default route in halves, or the internet behind a modem: no network of neighbours. */
const SHORTEST = { ipv4: 8, ipv6: 16 }

const isIpv6 = (network: string) => network.includes(':')

/** Whether it leads to a network, and not to all of the internet. */
export const isOfNetwork = ({ dst }: Route): boolean => {
  if (dst === 'default') return false
  const length = dst.split('/')[1]
  return length === undefined || Number(length) >= (isIpv6(dst) ? SHORTEST.ipv6 : SHORTEST.ipv4)
}

const readFamily = async (family: '-4' | '-6'): Promise<Route[]> =>
  JSON.parse((await runCommand('ip', [family, '-j', 'route', 'show', 'table', 'all'])) || '[]')

/** Without IPv6 in the kernel there is no table of its routes. */
export const readRoutes = async (): Promise<Routes> => {
  const [ipv4, ipv6] = await Promise.all([readFamily('-4'), readFamily('-6').catch(() => [])])
  return { ipv4, ipv6 }
}

/** The ways to the internet: by which interfaces, and what fits into a packet there where the route says it. */
export const waysOut = (routes: readonly Route[], interfaceName: string) => {
  const out = routes.filter(
    (route) => (route.type ?? 'unicast') === 'unicast' && route.table !== 'local' && !isOfNetwork(route),
  )
  const devices = out
    .flatMap(({ dev, nexthops = [] }) => [dev, ...nexthops.map((hop) => hop.dev)])
    .filter((dev): dev is string => dev !== undefined && dev !== interfaceName && dev !== 'lo')
  const mtus = out.flatMap(({ metrics = [] }) => metrics.flatMap(({ mtu }) => mtu ?? []))
  return { devices: [...new Set(devices)], mtus }
}
