import { haveCommonAddresses, type Pool } from '@hedgerow/domain/addresses'
import { OWN_IPV4, OWN_IPV6, PROBE_IPV4, PROBE_IPV6 } from '#network/own-addresses.ts'
import { isOfNetwork, type Routes } from '#network/routes.ts'

/** The rules drop what comes from a pool's addresses or goes to them, unless it is through the tunnel. */
export const poolConflict = (
  { ipv4, ipv6 }: Pool,
  routes: Routes,
  interfaceName: string,
): string | undefined => {
  const others = [...routes.ipv4, ...routes.ipv6].filter(
    (route) =>
      ['unicast', 'local'].includes(route.type ?? 'unicast') &&
      route.dev !== interfaceName &&
      isOfNetwork(route),
  )
  for (const pool of [ipv4, ipv6]) {
    const other = others.find(({ dst }) => haveCommonAddresses(pool, dst))
    if (other)
      return `The pool ${pool} overlaps with ${other.dst} of this server's ${other.dev ?? 'routes'}, which it would cut off: give the node another pool in the shop.`
  }
  for (const own of [OWN_IPV4, OWN_IPV6, PROBE_IPV4, PROBE_IPV6]) {
    // The agent's own addresses are there.
    const other = others.find(({ dev, dst }) => dev !== 'lo' && haveCommonAddresses(own, dst))
    if (other)
      return `The agent keeps ${own} for itself, and ${other.dst} of this server's ${other.dev ?? 'routes'} overlaps with it: give that network other addresses.`
  }
  return undefined
}
