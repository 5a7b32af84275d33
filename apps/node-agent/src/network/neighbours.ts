import { runCommand } from '#runtime/run-command.ts'

type Route = { dst: string; dev?: string; type?: string; gateway?: string; via?: object; nexthops?: object[] }

/** Shorter ones are a default route in halves, or the internet behind a modem: no network of neighbours. */
const SHORTEST = { ipv4: 8, ipv6: 16 }

const isIpv6 = (network: string) => network.includes(':')

const isOfNeighbours = (network: string): boolean => {
  const length = network.split('/')[1]
  return length === undefined || Number(length) >= (isIpv6(network) ? SHORTEST.ipv6 : SHORTEST.ipv4)
}

/** Returns the networks that are reached without a gateway, by any interface but the tunnel. */
export const neighboursOf = (routes: readonly Route[], interfaceName: string): string[] => {
  const networks = routes
    .filter(({ type = 'unicast' }) => type === 'unicast')
    .filter(({ gateway, via, nexthops }) => !(gateway ?? via ?? nexthops))
    .filter(({ dst, dev }) => dst !== 'default' && dev !== undefined && dev !== interfaceName)
    .map(({ dst }) => dst)
    .filter(isOfNeighbours)
  return [...new Set(networks)].sort()
}

export const readNeighbours = async (interfaceName: string): Promise<string[]> => {
  const text = await runCommand('ip', ['-j', 'route', 'show', 'table', 'all'])
  return neighboursOf(JSON.parse(text || '[]'), interfaceName)
}

/** Puts these networks in the place of those that were there. */
export const neighboursText = (table: string, networks: readonly string[]): string =>
  (['neighbours4', 'neighbours6'] as const)
    .map((set) => {
      const own = networks.filter((network) => isIpv6(network) === (set === 'neighbours6'))
      const added = own.length > 0 ? `add element inet ${table} ${set} { ${own.join(', ')} }\n` : ''
      return `flush set inet ${table} ${set}\n${added}`
    })
    .join('')
