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

/** An address as people write it: one of IPv4 that came within one of IPv6 is told as itself. */
export const plainAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
