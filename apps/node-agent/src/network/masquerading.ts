import { fromOldPorts, toOldPorts } from '#network/old-ports.ts'
import { PROBE_IPV4, PROBE_IPV6 } from '#network/own-addresses.ts'
import type { RulesOptions } from '#network/rules-options.ts'

const LEAST = 1024
const MOST = 65_535
const DNS = 53

/** Of tunnels within a customer's tunnel, in both directions together: some 20 Mbit/s. */
export const CARRIED_AT_MOST = 'limit rate over 2000/second burst 4000 packets'

/**
 * The ports that customers' connections get on the node's own address: the longest stretch beside those by which
 * devices come to WireGuard. Low ports are left to the node's own services.
 */
export const portsBeside = (ports: readonly number[]): [first: number, last: number] => {
  const high = ports.filter((port) => port >= LEAST).toSorted((a, b) => a - b)
  const stretches = [...high, MOST + 1].map((end, at): [number, number] => [
    (high[at - 1] ?? LEAST - 1) + 1,
    end - 1,
  ])
  return stretches.reduce((best, one) => (one[1] - one[0] >= best[1] - best[0] ? one : best))
}

/**
 * The connection table knows nothing of WireGuard's socket. If a customer's datagrams could leave from its port, what
 * comes back to it would be that customer's, tunnels of others included (CVE-2021-3773). So what belongs to the socket
 * is not tracked, and no customer gets its port. Which port they do get is drawn each time: a port that is kept when it
 * is free would tell them which ones others have, and could be sat on.
 *
 * A device with a connection of its own behind a router with another one reaches the socket through the router's tunnel.
 * What the socket sends into the tunnel is bounded for each customer: one who has the node send their packets to their own
 * address inside of the tunnel would else send them round for ever, in ever more pieces.
 *
 * Nor is what the node's own resolver asks: by names that nobody has asked for yet a customer makes it ask so often that
 * its connections would take most of the table. Customers have none to that port, they are sent to the resolver.
 */
export const masqueradingRules = (options: RulesOptions): string => {
  const { interfaceName, ipv4, ipv6, listenPort, oldPorts } = options
  const ports = portsBeside([listenPort, ...oldPorts]).join('-')
  const masquerade = (pool: string) => `
    oifname @uplinks ${pool} meta l4proto { tcp, udp } masquerade to :${ports} fully-random
    oifname @uplinks ${pool} masquerade fully-random`
  return `
  chain tracking {
    type filter hook prerouting priority raw; policy accept;${fromOldPorts(options)}
    iifname "${interfaceName}" goto marking
    udp dport ${listenPort} notrack accept
    th sport ${DNS} meta l4proto { tcp, udp } iifname @uplinks fib daddr type local notrack
  }
  chain from_node {
    type filter hook output priority raw; policy accept;
    udp sport ${listenPort} goto from_endpoint
    th dport ${DNS} meta l4proto { tcp, udp } oifname @uplinks notrack
  }
  chain from_endpoint {
    notrack
    oifname "${interfaceName}" update @carried4 { ip daddr ${CARRIED_AT_MOST} } drop
    oifname "${interfaceName}" update @carried6 { ip6 daddr ${CARRIED_AT_MOST} } drop${toOldPorts(options)}
  }
  chain masquerading {
    type nat hook postrouting priority srcnat; policy accept;${masquerade(`ip saddr { ${ipv4}, ${PROBE_IPV4} }`)}${masquerade(`ip6 saddr { ${ipv6}, ${PROBE_IPV6} }`)}
  }`
}
