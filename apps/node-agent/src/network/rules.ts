import { DOH_IPV4, DOH_IPV6, INTERNET_IPV6, NOT_INTERNET_IPV4 } from '#network/blocked-destinations.ts'
import {
  ACTIVE_BIT,
  FAMILY_BIT,
  MARKS,
  NOBODY,
  PRIORITY_BIT,
  RESOLVER_OF_EXPIRED,
  resolverOf,
} from '#network/marks.ts'
import {
  OWN_IPV4,
  OWN_IPV6,
  PAGE_IPV4,
  PAGE_IPV6,
  resolverIpv4,
  resolverIpv6,
  type Slot,
} from '#network/own-addresses.ts'
import { NORMAL_CLASS, PRIORITY_CLASS } from '#network/shaper.ts'

export type RulesOptions = { interfaceName: string; uplink: string; ipv4: string; ipv6: string }

export const tableOf = (interfaceName: string) => `hedgerow_${interfaceName.replaceAll(/\W/g, '_')}`

const has = (bit: number) => `meta mark & ${bit} == ${bit}`
const byMark = (value: (mark: number) => string) =>
  `{ ${MARKS.map((mark) => `${mark} : ${value(mark)}`).join(', ')} }`
/** Of both families, by number: nft knows the name of the second one only from /etc/protocols, which a bare server lacks. */
const ICMP = '{ 1, 58 }'
const dns = 'meta l4proto { tcp, udp } th dport 53'

/**
 * The kernel keeps one table of connections for all: so many at once a customer may have, over IPv4 and over IPv6, so
 * that nobody fills it. Browsers and downloads need a few hundred.
 */
const CONNECTIONS_AT_ONCE = 4_000
/** Counted once: one that nobody answers stays new. */
const isFirst = 'ct state new ct status & confirmed == 0'

/**
 * Which resolver a customer's questions go to. Connections to a resolver are tracked in a zone of its own: a
 * client that goes on with an open one meets the new resolver as soon as its mark changes. Zones are numbered as the
 * resolvers' addresses are, so that no two resolvers share one.
 */
export const resolverRules = ({ interfaceName }: RulesOptions, slot: Slot): string => {
  const zone = (resolver: number) => String(slot * 256 + resolver)
  const address = (ip: (slot: Slot, resolver: number) => string) =>
    byMark((mark) => ip(slot, resolverOf(mark)))
  return `
  chain marking {
    type filter hook prerouting priority raw; policy accept;
    iifname != "${interfaceName}" return
    meta mark set ${NOBODY}
    meta mark set ip saddr map @customers4
    meta mark set ip6 saddr map @customers6
    ${dns} ct original zone set meta mark map ${byMark((mark) => zone(resolverOf(mark)))}
    meta mark ${NOBODY} tcp dport 80 ct original zone set ${zone(RESOLVER_OF_EXPIRED)}
  }
  chain redirecting {
    type nat hook prerouting priority dstnat; policy accept;
    iifname != "${interfaceName}" return
    ${dns} dnat ip to meta mark map ${address(resolverIpv4)}
    ${dns} dnat ip6 to meta mark map ${address(resolverIpv6)}
    meta mark ${NOBODY} tcp dport 80 dnat ip to ${PAGE_IPV4}
    meta mark ${NOBODY} tcp dport 80 dnat ip6 to ${PAGE_IPV6}
  }`
}

/** For what comes to the node itself. Elsewhere than from the tunnel only the resolver's addresses are guarded. */
const inputRules = ({ interfaceName }: RulesOptions): string => `
  chain input {
    type filter hook input priority filter; policy accept;
    iifname "lo" accept
    iifname != "${interfaceName}" ip daddr ${OWN_IPV4} drop
    iifname != "${interfaceName}" ip6 daddr ${OWN_IPV6} drop
    iifname != "${interfaceName}" accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 accept
    ${isFirst} jump counting
    ip daddr ${OWN_IPV4} ${dns} accept
    ip6 daddr ${OWN_IPV6} ${dns} accept
    ct state related meta l4proto ${ICMP} accept
    meta mark ${NOBODY} ip daddr ${PAGE_IPV4} tcp dport 80 accept
    meta mark ${NOBODY} ip6 daddr ${PAGE_IPV6} tcp dport 80 accept
    ${has(ACTIVE_BIT)} fib daddr . iif type local icmp type echo-request accept
    ${has(ACTIVE_BIT)} fib daddr . iif type local icmpv6 type echo-request accept
    goto refuse
  }`

/** Servers hand mail to each other there. Who sends their own mail uses a mail service's other ports; who sends junk does not. */
const SMTP = 25

/** The customer's mark decides about every packet, also of a connection that was open before. */
const forwardRules = ({ interfaceName, uplink }: RulesOptions): string => {
  const family = `${has(FAMILY_BIT)} meta l4proto { tcp, udp } th dport`
  return `
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname "${interfaceName}" goto upload
    oifname "${interfaceName}" goto download
  }
  chain counting {
    add @flows4 { ip saddr ct count over ${CONNECTIONS_AT_ONCE} } drop
    add @flows6 { ip6 saddr ct count over ${CONNECTIONS_AT_ONCE} } drop
  }
  chain upload {
    meta mark ${NOBODY} goto refuse
    oifname != "${uplink}" goto refuse
    ip daddr { ${NOT_INTERNET_IPV4.join(', ')} } goto refuse
    ip6 daddr != ${INTERNET_IPV6} goto refuse
    tcp dport ${SMTP} goto refuse
    ${family} 853 goto refuse
    ${family} 443 ip daddr { ${DOH_IPV4.join(', ')} } goto refuse
    ${family} 443 ip6 daddr { ${DOH_IPV6.join(', ')} } goto refuse
    ct state invalid drop
    ${isFirst} jump counting
    goto pass
  }
  chain download {
    meta mark set ${NOBODY}
    meta mark set ip daddr map @customers4
    meta mark set ip6 daddr map @customers6
    meta mark ${NOBODY} drop
    iifname != "${uplink}" drop
    ct state != { established, related } drop
    goto pass
  }
  chain pass {
    tcp flags syn tcp option maxseg size set rt mtu
    meta priority set ${NORMAL_CLASS}
    ${has(PRIORITY_BIT)} meta priority set ${PRIORITY_CLASS}
    accept
  }
  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject
  }`
}

const masquerading = ({ uplink, ipv4, ipv6 }: RulesOptions): string => `
  chain masquerading {
    type nat hook postrouting priority srcnat; policy accept;
    oifname "${uplink}" ip saddr ${ipv4} masquerade
    oifname "${uplink}" ip6 saddr ${ipv6} masquerade
  }`

/** The whole table in place of the one that was there, in one transaction with `elements`. */
export const wholeTable = (options: RulesOptions, slot: Slot, elements: string): string => {
  const table = tableOf(options.interfaceName)
  return `add table inet ${table}
delete table inet ${table}
table inet ${table} {
  map customers4 { type ipv4_addr : mark; flags timeout; }
  map customers6 { type ipv6_addr : mark; flags timeout; }
  set flows4 { type ipv4_addr; size 65536; flags dynamic; }
  set flows6 { type ipv6_addr; size 65536; flags dynamic; }
${forwardRules(options)}${inputRules(options)}${resolverRules(options, slot)}${masquerading(options)}
}
${elements}`
}

/** Sends all questions to the other slot, at once. */
export const slotSwitch = (options: RulesOptions, slot: Slot): string => {
  const table = tableOf(options.interfaceName)
  return `flush chain inet ${table} marking
flush chain inet ${table} redirecting
table inet ${table} {${resolverRules(options, slot)}
}
`
}
