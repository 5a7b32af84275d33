import ipaddr from 'ipaddr.js'

/** Lines to homes and offices come with so much of IPv6, and who has it has all of its addresses. */
const IPV6_PREFIX = 56

/**
 * Returns the network that a caller is counted by: an IPv4 address as it is, also when it is written as an IPv6 one, and
 * of an IPv6 address its /56. What is no address is returned as it is.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_PREFIX}`)}/${IPV6_PREFIX}`
}

/** An address as people write it: one of IPv4 that came within one of IPv6 is shown as itself. */
export const plainAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address

const COARSE = { ipv4: 24, ipv6: 48 } as const

/** So much of an address that it tells a provider and not a home: the /24 of an IPv4 address, the /48 of an IPv6 one. Null for what is no address. */
export const coarseNetworkOf = (address: string): string | null => {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  const length = COARSE[parsed.kind()]
  const first =
    parsed instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${length}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${length}`)
  return `${first.toString()}/${length}`
}
