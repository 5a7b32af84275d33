import { PROBE_IPV4, PROBE_IPV6 } from '#network/own-addresses.ts'
import type { RulesOptions } from '#network/rules-options.ts'

/**
 * Customers' addresses and the node's own among them are known only inside of the tunnel. Anyone on the same cable
 * could otherwise send as a customer, and have the node forward and masquerade it. Before anything else is done with a
 * packet, also before its pieces are put together.
 */
export const outsideRules = ({ interfaceName, ipv4, ipv6 }: RulesOptions): string => `
  chain outside {
    type filter hook prerouting priority -450; policy accept;
    iifname { "${interfaceName}", "lo" } return
    ip saddr { ${ipv4}, ${PROBE_IPV4} } drop
    ip daddr { ${ipv4}, ${PROBE_IPV4} } drop
    ip6 saddr { ${ipv6}, ${PROBE_IPV6} } drop
    ip6 daddr { ${ipv6}, ${PROBE_IPV6} } drop
  }`
