import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { FILTER_CHOICES, listsOf } from '@hedgerow/domain/filters'
import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { NOT_INTERNET_IPV4, NOT_INTERNET_IPV6, TUNNELLED_IPV6 } from '#network/blocked-destinations.ts'
import { LISTS, zoneFileOf } from '#network/filter-lists.ts'
import { RESOLVER_OF_EXPIRED } from '#network/marks.ts'
import {
  CHECK_IPV4,
  CHECK_IPV6,
  OWN_IPV4,
  OWN_IPV6,
  PAGE_IPV4,
  PAGE_IPV6,
  RESOLVERS,
  resolverIpv4,
  resolverIpv6,
  type Slot,
} from '#network/own-addresses.ts'

/** Names that are asked of one server, for networks without the internet. */
export type Stub = { zone: string; address: string }

const ROOT_HINTS = '/usr/share/dns/root.hints'
export const ROOT_KEY = '/usr/share/dns/root.key'
/** So short that names work as soon as a connection is renewed, and that a tunnel that is off is noticed. */
const OWN_TTL_S = 2

/** Of one customer: a page asks for some dozens of names. The others are to be answered while someone floods. */
const QUESTIONS_A_SECOND = 500

/** By TCP, of each thread; unbound shortens their time when half of them are taken. The firewall allows a customer fewer. */
const CONNECTIONS_AT_ONCE = 64

const forResolver = (slot: Slot, resolver: number): string =>
  [resolverIpv4(slot, resolver), resolverIpv6(slot, resolver)]
    .flatMap((address) => [
      `interface: ${address}`,
      // Who may ask is the firewall's business.
      `interface-action: ${address} allow`,
      ...(resolver === RESOLVER_OF_EXPIRED ? [`interface-view: ${address} expired`] : []),
      ...(resolver <= FILTER_CHOICES && resolver > 1
        ? [`interface-tag: ${address} "${listsOf(resolver - 1).join(' ')}"`]
        : []),
    ])
    .map((line) => `  ${line}\n`)
    .join('')

/**
 * The owner of a name says where its name servers are: at a cloud's own resolver, or in a private network, as well.
 * It never asks there, which the firewall does not hold back.
 */
const neverAsked = (): string =>
  [...NOT_INTERNET_IPV4, ...NOT_INTERNET_IPV6, ...TUNNELLED_IPV6]
    .map((network) => `  do-not-query-address: ${network}\n`)
    .join('')

/** unbound's configuration for one slot. It logs nothing, counts nothing, and does not reveal its name. */
export const resolverConfig = (dir: string, zonesDir: string, slot: Slot, stubs: readonly Stub[]): string => {
  const threads = Math.min(4, availableParallelism())
  const hasAnchor = existsSync(ROOT_KEY)
  return `server:
  directory: "${dir}"
  pidfile: "${join(dir, 'pid')}"
  chroot: ""
  username: ""
  use-syslog: no
  verbosity: 0
  log-queries: no
  log-replies: no
  log-servfail: no
  statistics-interval: 0
  extended-statistics: no
  hide-identity: yes
  hide-version: yes
  qname-minimisation: yes
  minimal-responses: yes
  harden-glue: yes
  harden-below-nxdomain: yes
  prefetch: yes
${neverAsked()}  private-address: ${OWN_IPV4}
  private-address: ${OWN_IPV6}
  module-config: "respip ${hasAnchor ? 'validator ' : ''}iterator"
${hasAnchor ? `  auto-trust-anchor-file: "${join(dir, 'root.key')}"\n` : ''}${existsSync(ROOT_HINTS) ? `  root-hints: "${ROOT_HINTS}"\n` : ''}  num-threads: ${threads}
  outgoing-range: 1024
  num-queries-per-thread: 512
  incoming-num-tcp: ${CONNECTIONS_AT_ONCE}
  ip-ratelimit: ${QUESTIONS_A_SECOND}
  ip-ratelimit-factor: 0
  msg-cache-size: 32m
  rrset-cache-size: 64m
  msg-cache-slabs: 4
  rrset-cache-slabs: 4
  local-zone: "${CHECK_HOST}." static
  local-data: "${CHECK_HOST}. ${OWN_TTL_S} IN A ${CHECK_IPV4}"
  local-data: "${CHECK_HOST}. ${OWN_TTL_S} IN AAAA ${CHECK_IPV6}"
  define-tag: "${LISTS.join(' ')}"
${RESOLVERS.map((resolver) => forResolver(slot, resolver)).join('')}${stubs.map(({ zone }) => `  domain-insecure: "${zone}"\n`).join('')}
${LISTS.map(
  (list) => `rpz:
  name: "${list}.rpz"
  zonefile: "${zoneFileOf(zonesDir, list)}"
  tags: "${list}"
  rpz-action-override: nxdomain
`,
).join('')}
view:
  name: "expired"
  local-zone: "." redirect
  local-data: ". ${OWN_TTL_S} IN A ${PAGE_IPV4}"
  local-data: ". ${OWN_TTL_S} IN AAAA ${PAGE_IPV6}"
${stubs.map(({ zone, address }) => `forward-zone:\n  name: "${zone}"\n  forward-addr: ${address}\n`).join('')}
remote-control:
  control-enable: yes
  control-interface: "${join(dir, 'control')}"
  control-use-cert: no
`
}
