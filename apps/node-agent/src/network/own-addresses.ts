import { RESOLVER_OF_EXPIRED } from '#network/marks.ts'
import { runCommand } from '#runtime/run-command.ts'

/**
 * The resolver's addresses on the loopback interface, out of networks that nobody routes (198.18.0.0/15 is for
 * measurements, fd68:6564:6765::/48 was drawn): one for each choice of filters, by which it knows what to filter.
 * Earlier versions had others in these networks, and rules of operators name them.
 */
export const OWN_IPV4 = '198.18.0.0/23'
export const OWN_IPV6 = 'fd68:6564:6765::/48'
export const RESOLVERS = Array.from({ length: RESOLVER_OF_EXPIRED }, (_, index) => index + 1)

export const resolverIpv4 = (resolver: number) => `198.18.0.${resolver}`
export const resolverIpv6 = (resolver: number) => `fd68:6564:6765::${resolver}`

/** Of the two peers by which the agent tries the node as a customer: no customer's, and no other network's. */
export const PROBE_IPV4 = '198.18.2.0/30'
export const PROBE_IPV6 = 'fd68:6564:6766::/64'

export const PAGE_IPV4 = resolverIpv4(RESOLVER_OF_EXPIRED)
export const PAGE_IPV6 = resolverIpv6(RESOLVER_OF_EXPIRED)

/** Of the page by which customers see that they are connected: no resolver's, and out of reach of the expired. */
export const CHECK_IPV4 = resolverIpv4(RESOLVER_OF_EXPIRED + 1)
export const CHECK_IPV6 = resolverIpv6(RESOLVER_OF_EXPIRED + 1)

const cidrs = [
  ...RESOLVERS.flatMap((resolver) => [`${resolverIpv4(resolver)}/32`, `${resolverIpv6(resolver)}/128`]),
  `${CHECK_IPV4}/32`,
  `${CHECK_IPV6}/128`,
]

/** Adds those that are missing; returns how many were. */
export const ensureOwnAddresses = async (): Promise<number> => {
  const there = new Set((await runCommand('ip', ['-o', 'addr', 'show', 'dev', 'lo'])).split(/\s+/))
  const missing = cidrs.filter((cidr) => !there.has(cidr))
  if (missing.length > 0) {
    const lines = missing.map((cidr) => `addr replace ${cidr} dev lo ${cidr.includes(':') ? 'nodad' : ''}\n`)
    await runCommand('ip', ['-batch', '-'], lines.join(''))
  }
  return missing.length
}

/** Answers to the probe's peers go back into the tunnel. */
export const ensureProbeRoutes = async (interfaceName: string): Promise<void> => {
  const lines = [PROBE_IPV4, PROBE_IPV6].map((network) => `route replace ${network} dev ${interfaceName}\n`)
  await runCommand('ip', ['-batch', '-'], lines.join(''))
}
