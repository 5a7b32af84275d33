import { PROBE_IPV4, PROBE_IPV6 } from '#network/own-addresses.ts'
import type { RulesOptions } from '#network/rules-options.ts'

/**
 * Customers' addresses and the node's own among them are known only inside of the tunnel. Anyone on the same cable
 * could otherwise send as a customer, and have the node forward and masquerade it. Before anything else is done with a
 * packet, also before the kernel puts its pieces together.
 */
export const outsideRules = ({ interfaceName, ipv4, ipv6 }: RulesOptions): string => {
  const closed = (ip: 'ip' | 'ip6', networks: readonly string[]) =>
    networks
      .flatMap((network) => ['saddr', 'daddr'].map((end) => `${ip} ${end} ${network} iifname != "lo" drop`))
      .join('\n    ')
  return `
  chain outside {
    type filter hook prerouting priority -450; policy accept;
    iifname "${interfaceName}" goto fragments
    meta nfproto ipv6 goto outside6
    ${closed('ip', [ipv4, PROBE_IPV4])}
  }
  chain outside6 {
    ${closed('ip6', [ipv6, PROBE_IPV6])}
  }`
}
