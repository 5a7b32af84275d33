import ipaddr from 'ipaddr.js'

/** Lines to homes and offices come with so much of IPv6, and who has it has all of its addresses. */
const IPV6_PREFIX = 56

const networkIn = (address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string => {
  const first =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${length}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${length}`)
  return `${first.toString()}/${length}`
}

/**
 * Returns the network that a line comes from: an IPv4 address as it is, also when it is written as an IPv6 one, and of an
 * IPv6 address its /56. What is no address is returned as it is.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : networkIn(parsed, IPV6_PREFIX)
}

export type Network = {
  network: string
  /** How many times as much as a single line the network may do. */
  times: number
}

/**
 * Networks within which strangers can change their address at will, and how many times as much as one line each may do. IPv6:
 * a line has a /64 to a /48, a customer of a data centre a /48, a provider a /32 to a /29. IPv4: a /24 is the least that is
 * routed, and a few of them carry the customers of a provider who share addresses.
 */
const SIZES = {
  ipv4: [
    [32, 1],
    [24, 4],
    [16, 32],
  ],
  ipv6: [
    [64, 1],
    [56, 2],
    [48, 4],
    [32, 32],
    [29, 64],
  ],
} as const

/**
 * Returns the networks that a caller is counted by, from the smallest to that of the provider. IPv4 within IPv6 is IPv4; what is
 * no address counts by itself.
 */
export const networksAround = (address: string): Network[] => {
  if (!ipaddr.isValid(address)) return [{ network: address, times: 1 }]
  const parsed = ipaddr.process(address)
  return SIZES[parsed.kind()].map(([length, times]) => ({ network: networkIn(parsed, length), times }))
}

/** An address as people write it: one of IPv4 that came within one of IPv6 is shown as itself. */
export const plainAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address

const COARSE = { ipv4: 24, ipv6: 48 } as const

/** So much of an address that it tells a provider and not a home: the /24 of an IPv4 address, the /48 of an IPv6 one. Null for what is no address. */
export const coarseNetworkOf = (address: string): string | null => {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  return networkIn(parsed, COARSE[parsed.kind()])
}

/** All of IPv6 that is given out to anyone lies there; what carries IPv4 or is nobody's lies elsewhere, or has a name of its own. */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one of the internet: no loopback, no private or link-local network, nothing reserved or translated. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GIVEN_OUT)
}
