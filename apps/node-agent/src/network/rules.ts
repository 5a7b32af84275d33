import {
  DOH_IPV4,
  DOH_IPV6,
  INTERNET_IPV6,
  NOT_INTERNET_IPV4,
  TUNNELLED_IPV6,
} from '#network/blocked-destinations.ts'
import {
  ACTIVE_BIT,
  FAMILY_BIT,
  MARKS,
  NOBODY,
  PRIORITY_BIT,
  RESOLVER_OF_EXPIRED,
  resolverOf,
} from '#network/marks.ts'
import { CARRIED_AT_MOST, masqueradingRules } from '#network/masquerading.ts'
import { oldPortSets } from '#network/old-ports.ts'
import { outsideRules } from '#network/outside.ts'
import {
  CHECK_IPV4,
  CHECK_IPV6,
  OWN_IPV4,
  OWN_IPV6,
  PAGE_IPV4,
  PAGE_IPV6,
  resolverIpv4,
  resolverIpv6,
} from '#network/own-addresses.ts'
import type { Limits, RulesOptions } from '#network/rules-options.ts'
import { passSettled, SETTLE, SETTLED_MAPS } from '#network/settled.ts'
import { NORMAL_CLASS, PRIORITY_CLASS } from '#network/shaper.ts'

export const tableOf = (interfaceName: string) => `hedgerow_${interfaceName.replaceAll(/\W/g, '_')}`

const has = (bit: number) => `meta mark & ${bit} == ${bit}`
const byMark = (value: (mark: number) => string) =>
  `{ ${MARKS.map((mark) => `${mark} : ${value(mark)}`).join(', ')} }`
/** By number: nft knows the name of the last one, ICMPv6, only from /etc/protocols, which a bare server lacks. */
const WITH_PORTS_OR_PING = '{ tcp, udp, 1, 58 }'
/** The port first: most packets have another. */
const dns = 'th dport 53 meta l4proto { tcp, udp }'

/** Counted once: one that nobody answers stays new. */
const isFirst = 'ct state new ct status & confirmed == 0'

/**
 * Whose packet it is, and which resolver a customer's questions go to. While the table is exchanged, a packet in the old
 * one finds its maps empty: its customer is not a stranger, so that strangers are looked up too, after the customers.
 * Connections to a resolver are tracked in a zone of its own: a
 * client that goes on with an open one meets the new resolver as soon as its mark changes.
 */
export const resolverRules = ({ interfaceName, listenPort }: RulesOptions): string => {
  const byResolver = (value: (resolver: number) => string) => byMark((mark) => value(resolverOf(mark)))
  return `
  chain marking {
    meta mark set 0
    meta mark set ip saddr map @customers4
    meta mark set ip6 saddr map @customers6
    meta mark 0 meta mark set iifname map @strangers
    ${dns} ct original zone set meta mark map ${byResolver(String)}
    meta mark ${NOBODY} tcp dport 80 ct original zone set ${RESOLVER_OF_EXPIRED}
    udp dport ${listenPort} fib daddr type local notrack
  }
  chain redirecting {
    type nat hook prerouting priority dstnat; policy accept;
    iifname != "${interfaceName}" return
    ${dns} dnat ip to meta mark map ${byResolver(resolverIpv4)}
    ${dns} dnat ip6 to meta mark map ${byResolver(resolverIpv6)}
    meta mark ${NOBODY} tcp dport 80 dnat ip to ${PAGE_IPV4}
    meta mark ${NOBODY} tcp dport 80 dnat ip6 to ${PAGE_IPV6}
  }`
}

/** Strangers' connections to the node itself: few are meant, and each takes a place in the table for up to a minute. */
const BY_STRANGERS = 'limit rate over 500/second burst 2000 packets'

/**
 * A customer's connections to the resolver, which has few: questions come by TCP when an answer is too large for UDP. And
 * those to the agent's pages, each of which is one request: the agent has the node to see to.
 */
const ASKED_BY_TCP = 'limit rate over 20/second burst 40 packets'

/**
 * Of one customer: a page asks for some dozens of names. The resolver has no limit of its own, and one that waits for
 * servers that do not answer has room for some thousands of questions.
 */
const QUESTIONS = 'limit rate over 100/second burst 500 packets'

/** For what comes to the node itself. Elsewhere than from the tunnel only the resolver's addresses are guarded. */
const inputRules = ({ interfaceName, listenPort }: RulesOptions): string => `
  chain carried {
    ip daddr ${OWN_IPV4} goto refuse
    ip6 daddr ${OWN_IPV6} goto refuse
    update @carried4 { ip saddr ${CARRIED_AT_MOST} } drop
    update @carried6 { ip6 saddr ${CARRIED_AT_MOST} } drop
    accept
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname "${interfaceName}" goto asking
    ip daddr ${OWN_IPV4} iifname != "lo" drop
    ip6 daddr ${OWN_IPV6} iifname != "lo" drop
    ct state new iifname @uplinks ${BY_STRANGERS} drop
  }
  chain asking {
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 accept
    ${has(ACTIVE_BIT)} udp dport ${listenPort} fib daddr type local fib daddr . iif type != local goto carried
    ${isFirst} jump counting
    ${isFirst} tcp dport { 53, 80 } update @asking4 { ip saddr ${ASKED_BY_TCP} } drop
    ${isFirst} tcp dport { 53, 80 } update @asking6 { ip6 saddr ${ASKED_BY_TCP} } drop
    udp dport 53 update @questions4 { ip saddr ${QUESTIONS} } drop
    udp dport 53 update @questions6 { ip6 saddr ${QUESTIONS} } drop
    ip daddr ${OWN_IPV4} ${dns} accept
    ip6 daddr ${OWN_IPV6} ${dns} accept
    meta mark ${NOBODY} ip daddr ${PAGE_IPV4} tcp dport 80 accept
    meta mark ${NOBODY} ip6 daddr ${PAGE_IPV6} tcp dport 80 accept
    ${has(ACTIVE_BIT)} ip daddr ${CHECK_IPV4} tcp dport 80 accept
    ${has(ACTIVE_BIT)} ip6 daddr ${CHECK_IPV6} tcp dport 80 accept
    ${has(ACTIVE_BIT)} fib daddr . iif type local icmp type echo-request accept
    ${has(ACTIVE_BIT)} fib daddr . iif type local icmpv6 type echo-request accept
    goto refuse
  }`

/** Servers hand mail to each other there. Who sends their own mail uses a mail service's other ports; who sends junk does not. */
const SMTP = 25

/**
 * Connections of one customer to one port of a server: the node's address has some ten thousands for all of them
 * together, and who is told none any more cannot reach that server.
 */
const TO_ONE_SERVER = 500

/**
 * The customer's mark decides about every packet, also of a connection that was open before. While the table comes or
 * goes, a packet may be in it that has no mark yet, or for which the maps are empty already: to refuse it would reset a
 * download that can go on.
 */
const forwardRules = ({ interfaceName }: RulesOptions): string => `
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname "${interfaceName}" goto upload
    oifname "${interfaceName}" goto download
    drop
  }
  chain counting_by_server {
    add @servers4 { ip saddr . meta l4proto . ip daddr . th dport ct count over ${TO_ONE_SERVER} } drop
    add @servers6 { ip6 saddr . meta l4proto . ip6 daddr . th dport ct count over ${TO_ONE_SERVER} } drop
  }
  chain download {
    meta mark set ${NOBODY}
    meta mark set ip daddr map @customers4
    meta mark set ip6 daddr map @customers6
    ${passSettled('iifname')}
    meta mark ${NOBODY} drop
    iifname != @uplinks drop
    ct state != { established, related } drop
    goto pass
  }
  chain pass {
    tcp flags syn tcp option maxseg size set rt mtu
    ${has(PRIORITY_BIT)} goto with_priority
    goto without_priority
  }
  chain with_priority {
    meta priority set ${PRIORITY_CLASS} accept
  }
  chain without_priority {
    meta priority set ${NORMAL_CLASS} accept
  }
  chain refuse {
    meta mark 0 drop
    iifname vmap @refusing
    drop
  }
  chain refused {
    meta l4proto tcp reject with tcp reset
    reject
  }`

/**
 * Only what can be told apart by ports, and pings: of other protocols there is one connection to a server for all
 * customers, which the first of them would have to themselves. No ICMP errors either: the kernel does not ask whether
 * the connection that they complain about is the sender's own.
 */
const uploadRules = (): string => {
  const family = `${has(FAMILY_BIT)} meta l4proto { tcp, udp } th dport`
  return `
  chain upload {
    ${passSettled('oifname')}
    meta mark ${NOBODY} goto refuse
    oifname != @uplinks goto refuse
    ip daddr { ${NOT_INTERNET_IPV4.join(', ')} } goto refuse
    ip6 daddr != ${INTERNET_IPV6} goto refuse
    ip6 daddr { ${TUNNELLED_IPV6.join(', ')} } goto refuse
    ip daddr @neighbours4 goto refuse
    ip6 daddr @neighbours6 goto refuse
    meta l4proto != ${WITH_PORTS_OR_PING} goto refuse
    icmp type != echo-request drop
    icmpv6 type != echo-request drop
    tcp dport ${SMTP} goto refuse
    ${family} 853 goto refuse
    ${family} 443 ip daddr { ${DOH_IPV4.join(', ')} } goto refuse
    ${family} 443 ip6 daddr { ${DOH_IPV6.join(', ')} } goto refuse
    ct state invalid drop
    ${isFirst} jump counting
    ${isFirst} meta l4proto { tcp, udp } jump counting_by_server
    ${SETTLE}
    goto pass
  }`
}

/** Pieces of packets whose rest never comes wait in a memory that all share. Large packets are rare. */
const fragmentRules = (piecesASecond: number): string => {
  const tooMany = `limit rate over ${piecesASecond}/second burst ${2 * piecesASecond} packets`
  return `
  chain fragments {
    ip frag-off & 0x3fff != 0 update @pieces4 { ip saddr ${tooMany} } drop
    meta nfproto ipv6 exthdr frag exists update @pieces6 { ip6 saddr ${tooMany} } drop
  }`
}

const countingRules = (connectionsAtOnce: number): string => `
  chain counting {
    add @flows4 { ip saddr ct count over ${connectionsAtOnce} } drop
    add @flows6 { ip6 saddr ct count over ${connectionsAtOnce} } drop
  }`

const limitRules = ({ connectionsAtOnce, piecesASecond }: Limits): string =>
  `${countingRules(connectionsAtOnce)}${fragmentRules(piecesASecond)}`

/** The whole table in place of the one that was there, in one transaction with `elements`. */
export const wholeTable = (options: RulesOptions, limits: Limits, elements: string): string => {
  const table = tableOf(options.interfaceName)
  return `add table inet ${table}
delete table inet ${table}
table inet ${table} {
  map customers4 { type ipv4_addr : mark; flags timeout; }
  map customers6 { type ipv6_addr : mark; flags timeout; }
  set flows4 { type ipv4_addr; size 65536; flags dynamic; }
  set flows6 { type ipv6_addr; size 65536; flags dynamic; }
  map strangers { type ifname : mark; elements = { "${options.interfaceName}" : ${NOBODY} }; }
  map refusing { type ifname : verdict; elements = { "${options.interfaceName}" : goto refused }; }
  set uplinks { type ifname; }${SETTLED_MAPS}
  set neighbours4 { type ipv4_addr; flags interval; auto-merge; }
  set neighbours6 { type ipv6_addr; flags interval; auto-merge; }
  set pieces4 { type ipv4_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set pieces6 { type ipv6_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set asking4 { type ipv4_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set asking6 { type ipv6_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set questions4 { type ipv4_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set questions6 { type ipv6_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set carried4 { type ipv4_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set carried6 { type ipv6_addr; size 65536; flags dynamic,timeout; timeout 1m; }
  set servers4 { type ipv4_addr . inet_proto . ipv4_addr . inet_service; size 262144; flags dynamic; }
  set servers6 { type ipv6_addr . inet_proto . ipv6_addr . inet_service; size 262144; flags dynamic; }${oldPortSets(options)}
${outsideRules(options)}${limitRules(limits)}${forwardRules(options)}${uploadRules()}${inputRules(options)}${resolverRules(options)}${masqueradingRules(options)}
}
${elements}`
}

/**
 * Other limits, for who is beyond them from now on. The sets with everyone's connections stay, and so does the limit
 * of someone in them, until they have none.
 */
export const limitsSwitch = (options: RulesOptions, limits: Limits): string => {
  const table = tableOf(options.interfaceName)
  return `flush chain inet ${table} counting
flush chain inet ${table} fragments
table inet ${table} {${limitRules(limits)}
}
`
}
