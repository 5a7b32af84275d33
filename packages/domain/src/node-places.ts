/** What an operator says of a node, checked. Each returns what is wrong, or undefined. */
import ipaddr from 'ipaddr.js'
import { MOST_OLD_PORTS } from './nodes.ts'

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const LONGEST_HOST = 253

const isIpv4 = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text)

/** Neither with a zone nor with an IPv4 address in it. */
const isIpv6 = (text: string) => /^[0-9a-f:]+$/i.test(text) && ipaddr.IPv6.isValid(text)

const isHostName = (text: string) => {
  const labels = text.split('.')
  // One that ends in a number is an address gone wrong.
  return (
    text.length <= LONGEST_HOST &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

export const ENDPOINT_FORM =
  'It is written like vpn.example.org:51820, 192.0.2.7:51820 or [2001:db8::7]:51820.'

const ENDPOINT = /^(?:\[([^\]]*)\]|([^:[\]]+)):(\d{1,5})$/

/** Of its resolver, its page for the expired, and its metrics, where nothing else is set. */
const AGENTS_PORTS: readonly number[] = [53, 80, 9465]

export const endpointFault = (text: string): string | undefined => {
  const [, bracketed, plain, port = ''] = ENDPOINT.exec(text) ?? []
  const isHost = bracketed === undefined ? isIpv4(plain ?? '') || isHostName(plain ?? '') : isIpv6(bracketed)
  if (!isHost) return ENDPOINT_FORM
  if (Number(port) < 1 || Number(port) > 65_535) return 'A port is a number from 1 to 65535.'
  return AGENTS_PORTS.includes(Number(port))
    ? `The agent itself uses port ${Number(port)}. Choose another port, like 51820.`
    : undefined
}

const partsOf = (endpoint: string) => {
  const [, bracketed, plain = '', port = ''] = ENDPOINT.exec(endpoint) ?? []
  const host = bracketed ?? plain
  return {
    host: ipaddr.isValid(host) ? ipaddr.parse(host).toString() : host.toLowerCase(),
    port: Number(port),
  }
}

/** For an endpoint without a fault. */
export const portOf = (endpoint: string): number => partsOf(endpoint).port

/** Without brackets. */
export const hostOf = (endpoint: string): string => partsOf(endpoint).host

/** The same host with another port. */
export const withPort = (endpoint: string, port: number): string => endpoint.replace(/\d+$/, String(port))

export const isSameHost = (one: string, other: string): boolean => partsOf(one).host === partsOf(other).host

/** The ports that a node serves besides a new one, for files that name them. Undefined: they would be too many. */
export const oldPortsAfter = (
  { port, oldPorts }: { port: number; oldPorts: readonly number[] },
  next: number,
): number[] | undefined => {
  const after = port === next ? [...oldPorts] : [...oldPorts, port].filter((old) => old !== next)
  return after.length > MOST_OLD_PORTS ? undefined : after
}

export const isSameEndpoint = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)]
  return a.host === b.host && a.port === b.port
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'unspecified',
  'loopback',
  'linkLocal',
  'private',
  'carrierGradeNat',
  'uniqueLocal',
  'deprecatedSiteLocal',
  'multicast',
  'broadcast',
])

/** Why an endpoint without another fault leads customers on the internet nowhere. */
export const localEndpointFault = (endpoint: string): string | undefined => {
  const { host } = partsOf(endpoint)
  const isLocal = ipaddr.isValid(host)
    ? UNREACHABLE.has(ipaddr.process(host).range())
    : /(?:^|\.)localhost$/.test(host)
  return isLocal ? `Customers cannot reach ${host}. Give the server's public address or name.` : undefined
}

const splitNetwork = (text: string): [address: string, prefix: number | undefined] => {
  const [, address = '', prefix] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  return [address, prefix === undefined ? undefined : Number(prefix)]
}

/** Addresses that are free for private use, and that the agent and the rest of the internet do not take for others. */
const PRIVATE = {
  ipv4: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  ipv6: ['fd00::/8'],
}

/** The agent's own: its resolver, and its probe. */
const AGENTS = ['fd68:6564:6765::/48', 'fd68:6564:6766::/48']

const isWithin = (inner: string, outer: string): boolean => {
  const [address] = splitNetwork(inner)
  const [, width = 0] = splitNetwork(outer)
  return (splitNetwork(inner)[1] ?? 0) >= width && ipaddr.parse(address).match(ipaddr.parseCIDR(outer))
}

/** The first of these networks that has addresses in common with one. */
const overlapOf = (network: string, others: readonly string[]): string | undefined =>
  others.find((other) => isWithin(network, other) || isWithin(other, network))

const privateFault = (network: string, family: keyof typeof PRIVATE): string | undefined => {
  if (PRIVATE[family].some((free) => isWithin(network, free))) return undefined
  const [last, ...others] = PRIVATE[family].toReversed()
  return `A pool is of private addresses, out of ${[others.toReversed().join(', '), last].filter(Boolean).join(' or ')}.`
}

const [IPV4_WIDEST, IPV4_NARROWEST] = [8, 29]
const IPV6_WIDEST = 8

const meant = (address: string, prefix: number) =>
  `It has bits set after its prefix; the network is written ${address}/${prefix}.`

export const ipv4PoolFault = (text: string): string | undefined => {
  const [address, prefix] = splitNetwork(text)
  if (prefix === undefined || !isIpv4(address)) return 'An IPv4 pool is written like 10.80.0.0/16.'
  if (prefix < IPV4_WIDEST || prefix > IPV4_NARROWEST)
    return `An IPv4 pool is a /${IPV4_WIDEST} to a /${IPV4_NARROWEST}.`
  const network = ipaddr.IPv4.networkAddressFromCIDR(text).toString()
  return network === address ? privateFault(text, 'ipv4') : meant(network, prefix)
}

export const ipv6PoolFault = (text: string): string | undefined => {
  const [address, prefix] = splitNetwork(text)
  if (prefix === undefined || prefix > 128 || !isIpv6(address))
    return 'An IPv6 pool is written like fd80::/64.'
  if (prefix < IPV6_WIDEST) return `An IPv6 pool is a /${IPV6_WIDEST} or narrower.`
  const network = ipaddr.IPv6.networkAddressFromCIDR(text).toString()
  if (network !== ipaddr.parse(address).toString()) return meant(network, prefix)
  const taken = overlapOf(text, AGENTS)
  return taken === undefined
    ? privateFault(text, 'ipv6')
    : `The agent itself uses ${taken}. Choose another network.`
}

/** Each customer has an address of either family, at the same place in both pools. */
export const poolsFault = (ipv4: string, ipv6: string): string | undefined => {
  const [, narrow = 0] = splitNetwork(ipv4)
  const [, wide = 0] = splitNetwork(ipv6)
  const room = 128 - (32 - narrow)
  return wide > room
    ? `The IPv6 pool is smaller than the IPv4 pool ${ipv4}: it has to be a /${room} or wider.`
    : undefined
}

export const exitFault = (text: string): string | undefined =>
  isIpv4(text) || isIpv6(text) ? undefined : 'It is an address, like 192.0.2.7 or 2001:db8::7.'

const LONGEST_NAME = 100
const VISIBLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{Z}]/u

export const NODE_NAME_FORM = `Expected a name of 1 to ${LONGEST_NAME} visible characters.`

/** A node's name as it is kept; undefined for an unreadable one. */
export const nodeName = (text: string): string | undefined => {
  const name = text.trim().normalize('NFC')
  return name.length <= LONGEST_NAME && VISIBLE.test(name) && SEEN.test(name) ? name : undefined
}
