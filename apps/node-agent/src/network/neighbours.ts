import { isOfNetwork, type Route } from '#network/routes.ts'

/** Returns the networks that are reached without a gateway, by any interface but the tunnel. */
export const neighboursOf = (routes: readonly Route[], interfaceName: string): string[] => {
  const networks = routes
    .filter(({ type = 'unicast' }) => type === 'unicast')
    .filter(({ gateway, via, nexthops }) => !(gateway ?? via ?? nexthops))
    .filter(({ dev }) => dev !== undefined && dev !== interfaceName)
    .filter(isOfNetwork)
    .map(({ dst }) => dst)
  return [...new Set(networks)].sort()
}
